import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import sharp from 'sharp';
import { createCompanion, type Companion } from '../src/core/companion/createCompanion.ts';
import { systemClock } from '../src/core/base/ports.ts';
import { memorySecrets } from '../test/helpers/hosts/memorySecrets.ts';
import { startTestPractice } from '../test/helpers/practice.ts';
import type { Compared } from './compare.ts';
import { inWorkshop, prepareAll } from './photos/workshop.ts';
import { startKitchen } from '../test/helpers/photos/startKitchen.ts';

const items = 100;

/** One photo of 2 megapixels a folder, each of another colour. */
const drawFolders = async (root: string): Promise<string[]> => {
  const paths: string[] = [];
  for (let at = 0; at < items; at += 1) {
    const folder = join(root, `thing ${at}`);
    await mkdir(folder, { recursive: true });
    const background = `hsl(${(at * 37) % 360} 60% ${30 + (at % 5) * 10}%)`;
    const path = join(folder, 'photo.jpg');
    await sharp({ create: { width: 1632, height: 1224, channels: 3, background } })
      .jpeg()
      .toFile(path);
    paths.push(path);
  }
  return paths;
};

const seconds = async (work: () => Promise<unknown>): Promise<number> => {
  const from = performance.now();
  await work();
  return (performance.now() - from) / 1_000;
};

/** When each item came to each step, in seconds after the drop. */
type Timeline = Map<string, Map<string, number>>;

/** Looked at so often: more would be a part of what is measured. */
const lookEveryMs = 25;

/** Follows all items until each waits for review. Rejects when one stops. */
const followAll = async (companion: Companion): Promise<Timeline> => {
  const from = performance.now();
  const timeline: Timeline = new Map();
  for (let reviewed = 0; reviewed < items;) {
    await setTimeout(lookEveryMs);
    const { rows } = companion.items.list.page(null, 'all', 0, items);
    for (const { itemId, step, stop } of rows) {
      if (stop !== null) throw new Error(stop.sentence);
      const steps = timeline.get(itemId) ?? new Map<string, number>();
      if (!steps.has(step)) steps.set(step, (performance.now() - from) / 1_000);
      timeline.set(itemId, steps);
    }
    reviewed = rows.filter(({ step }) => step === 'review').length;
  }
  return timeline;
};

/** A line an item: when it came to each step, so that one sees what it waits for. */
const printTimeline = (timeline: Timeline): void => {
  for (const [at, steps] of [...timeline.values()].reverse().entries())
    console.log(`${String(at).padStart(3)} ${[...steps].map(([step, s]) => `${step} ${s.toFixed(2)}`).join('  ')}`);
};

/**
 * A hundred dropped folders until all wait for review, with a writer that takes no time, against the sum of the parts:
 * the same photos prepared alone, and the same requests sent one after the other by somebody who does nothing else.
 */
export const benchWholeWay = async (): Promise<Compared> => {
  const root = await mkdtemp(join(tmpdir(), 'bench-whole-'));
  const practice = await startTestPractice();
  const person = () => practice.person({ plan: 'Scale', connected: true, site: 'MKT_US' });
  try {
    const photos = await drawFolders(join(root, 'photos'));
    const preparing = await inWorkshop((folder, workers) => seconds(() => prepareAll(workers, photos, folder)));
    const { agentKey } = await person();
    const sending = await seconds(async () => {
      for (let at = 0; at < items; at += 1) await practice.written(agentKey);
    });
    const companion = await createCompanion(
      {
        dataDir: join(root, 'data'),
        version: '0.0.0',
        service: { kind: 'practice', url: practice.url },
        startKitchen,
        practicePerson: async () => ({ ...(await person()), email: 'whole@practice.example' }),
      },
      {
        clock: systemClock,
        random: Math.random,
        secrets: memorySecrets(),
        notify: () => undefined,
        log: () => undefined,
      },
    );
    await companion.start();
    await companion.connect.practice();
    const whole = await seconds(async () => {
      const followed = followAll(companion);
      await companion.add({ kind: 'paths', paths: [join(root, 'photos')] });
      const timeline = await followed;
      if (process.argv.includes('--timeline')) printTimeline(timeline);
    });
    await companion.stop();
    const parts = preparing + sending;
    return {
      what: `${items} folders from the drop to review`,
      unit: 's',
      ours: whole,
      peer: `the sum of the parts (${preparing.toFixed(1)} s of photos, ${sending.toFixed(1)} s of requests)`,
      theirs: parts,
      ratio: whole / parts,
    };
  } finally {
    await practice.close();
    await rm(root, { recursive: true, force: true });
  }
};
