import { afterAll, expect, test } from 'vitest';
import { labelSheets } from '../../../src/contract/labelSheets.ts';
import type { Label } from '../../../src/core/shelf/labels.ts';
import { createLabelPrinter } from '../../../src/host/labels/labelPrinter.ts';
import { renderPdf } from '../../helpers/renderPdf.ts';

const printer = createLabelPrinter();
afterAll(printer.stop);

const label: Label = { sku: 'A04-1', place: 'Box A04', title: 'Żółta kurtka' };
const createJob = (labels: readonly Label[]) => ({ labels, sheet: labelSheets.L7651, startAt: 0 });

test('a thread makes the document and the preview of a label at the same time', async () => {
  const [pdf, layout] = await Promise.all([
    printer.createPdf(createJob([label, { ...label, sku: 'A04-2' }])),
    printer.layOut(label, labelSheets.L7651.label),
  ]);
  const { pages } = await renderPdf(pdf);
  expect(pages[0]?.text).toContain('A04-2');
  expect(layout.lines.map(({ text }) => text)).toEqual(['A04-1', 'Box A04', 'Żółta kurtka']);
});

test('stopping rejects the document that is being made, and the next one starts a new thread', async () => {
  const pending = printer.createPdf(createJob(new Array<Label>(2_000).fill(label)));
  const rejected = expect(pending).rejects.toMatchObject({ code: 'LABELS_FAILED' });
  await printer.stop();
  await rejected;
  expect((await printer.layOut(label, labelSheets.roll62.label)).qr?.modules).toBe(21);
});

test('if a thread dies, its tasks are rejected, and the next task gets a new thread at once', async () => {
  // No code holds this text, so the thread ends with an error.
  const poison = { ...label, sku: 'x'.repeat(9_000) };
  const answers = await Promise.allSettled([
    printer.layOut(poison, labelSheets.L7651.label),
    printer.createPdf(createJob(new Array<Label>(500).fill(label))),
  ]);
  for (const answer of answers)
    expect(answer).toMatchObject({
      status: 'rejected',
      reason: { code: 'LABELS_FAILED', message: expect.stringContaining('Try again') as unknown },
    });
  for (let nth = 0; nth < 3; nth += 1)
    expect((await printer.layOut(label, labelSheets.roll62.label)).qr?.modules).toBe(21);
});
