import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import * as z from 'zod';
import { photoThreads } from '../../../src/photoContract/photoLimits.ts';
import { createTempDir, testKitchen } from '../../helpers/photos/photoWorld.ts';

/** Writes a thread that is busy with each job for 30 ms and answers with its id and the time. */
const writeBusyThread = async (): Promise<{ url: URL; dir: string }> => {
  const dir = await createTempDir();
  const path = join(dir, 'busyThread.mjs');
  await writeFile(
    path,
    `import { parentPort, threadId } from 'node:worker_threads';
     parentPort.on('message', ({ job: { id } }) => {
       const from = performance.timeOrigin + performance.now();
       const until = () => performance.timeOrigin + performance.now();
       while (until() - from < 30);
       parentPort.postMessage({ type: 'result', result: { type: 'barcodes', id, seen: [threadId, from, until()] }, pictures: [] });
     });`,
  );
  return { url: pathToFileURL(path), dir };
};

const answer = z.looseObject({ id: z.int(), seen: z.tuple([z.int(), z.number(), z.number()]).optional() });

/** Starts a kitchen with such threads. `answers` collects its answers. */
const startBusyKitchen = async () => {
  const answers: z.infer<typeof answer>[] = [];
  let notifyAnswer: () => void = () => undefined;
  const kitchen = await testKitchen({ thread: await writeBusyThread() })(({ head }) => {
    answers.push(answer.parse(head));
    notifyAnswer();
  });
  onTestFinished(async () => {
    kitchen.kill();
    await kitchen.ended;
  });
  const ask = (id: number) => void kitchen.send({ head: { type: 'barcodes', id }, parts: [new Uint8Array(9)] });
  const cancel = (id: number) => void kitchen.send({ head: { type: 'cancel', id }, parts: [] });
  const until = async (count: number): Promise<void> => {
    while (answers.length < count) await new Promise<void>((resolve) => (notifyAnswer = resolve));
  };
  return { answers, ask, cancel, until };
};

const more = photoThreads + 3;

test('queued photos never cause more photo threads than allowed', async () => {
  const { answers, ask, until } = await startBusyKitchen();
  for (let id = 1; id <= more; id += 1) ask(id);
  await until(more);
  const seen = answers.flatMap((one) => (one.seen ? [one.seen] : []));
  expect(new Set(answers.map(({ id }) => id)).size).toBe(more);
  expect(new Set(seen.map(([thread]) => thread)).size).toBeLessThanOrEqual(photoThreads);
  const atOnce = seen.map(([, from]) => seen.filter(([, began, ended]) => began <= from && from < ended).length);
  expect(Math.max(...atOnce)).toBeLessThanOrEqual(photoThreads);
});

test('a cancelled photo in the queue of the photo process is never started', async () => {
  const { answers, ask, cancel, until } = await startBusyKitchen();
  for (let id = 1; id <= more; id += 1) ask(id);
  cancel(more);
  await until(more);
  expect(answers.find(({ id }) => id === more)).toEqual({ type: 'cancelled', id: more });
});
