import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout } from 'node:timers/promises';
import { labelSheets } from '../src/contract/labelSheets.ts';
import type { Label } from '../src/core/shelf/labels.ts';
import { createLabelPrinter } from '../src/host/labels/labelPrinter.ts';
import { against, againstLimit, type Compared } from './compare.ts';

const count = 500;
const titles = [
  'Vintage denim jacket, stone washed, men’s size L, excellent condition',
  'Zweiteiliger Küchenschrank aus Weichholz, abgebeizt und gewachst, um 1910',
  'Żółta kurtka przeciwdeszczowa męska, rozmiar XL, stan bardzo dobry',
];
const createLabel = (_: unknown, at: number): Label => ({
  sku: `A${at % 90}-${at}`,
  place: `Box A${at % 90}`,
  title: `${titles[at % titles.length]} ${at}`,
});

const maxDocumentS = 3;
const idleMs = 2_000;

type Measured = { seconds: number; cpuSeconds: number; delayMs: number };

const measureWork = async (work: () => Promise<unknown>): Promise<Measured> => {
  const delay = monitorEventLoopDelay({ resolution: 5 });
  const [start, cpu] = [performance.now(), process.cpuUsage()];
  delay.enable();
  await work();
  delay.disable();
  const { user, system } = process.cpuUsage(cpu);
  return {
    seconds: (performance.now() - start) / 1_000,
    cpuSeconds: (user + system) / 1e6,
    delayMs: delay.percentile(99) / 1e6,
  };
};

/** Labels for 500 items, with the start of their thread, and how much they delay the other work of the companion. */
export const benchLabels = async (): Promise<Compared[]> => {
  const idle = await measureWork(() => setTimeout(idleMs));
  const printer = createLabelPrinter();
  const job = { labels: Array.from({ length: count }, createLabel), sheet: labelSheets.L7651, startAt: 0 };
  const made = await measureWork(() => printer.createPdf(job));
  await printer.stop();
  return [
    againstLimit('labels for 500 items', 's', made.seconds, maxDocumentS),
    againstLimit('labels for 500 items, CPU time', 's', made.cpuSeconds, maxDocumentS),
    against('delay of the event loop while labels are made, p99', 'ms', made.delayMs, 'idle', idle.delayMs),
  ];
};
