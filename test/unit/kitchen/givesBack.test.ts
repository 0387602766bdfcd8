import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import sharp from 'sharp';
import { expect, onTestFinished, test } from 'vitest';
import type { FromThread, ToThread } from '../../../src/kitchen/threadMessages.ts';
import type { PhotoJob } from '../../../src/photoContract/messages.ts';
import { noEdits } from '../../../src/photoContract/constants.ts';
import { createProcessClient, type StartProcess } from '../../../src/isolated/processClient.ts';
import { releaseBytes } from '../../../src/isolated/releasableBuffer.ts';
import { expectPrepared, createTempDir } from '../../helpers/photos/photoWorld.ts';
import { kitchenCode } from '../../helpers/photos/startKitchen.ts';
import { sharedKitchen } from '../../helpers/photos/sharedKitchen.ts';
import { createPhotoWorkers } from '../../../src/core/photos/photoWorkers.ts';

/** Draws a photo of several megabytes. */
const drawLarge = async (): Promise<string> => {
  const source = join(await createTempDir(), 'large.jpg');
  const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const;
  const create = { width: 2_400, height: 1_800, channels: 3, background: '#888', noise } as const;
  await sharp({ create }).jpeg({ quality: 90 }).toFile(source);
  return source;
};

test('only memory that is not shared with other bytes is released', () => {
  const alone = new Uint8Array(10);
  releaseBytes(alone);
  releaseBytes(alone);
  expect(alone.length).toBe(0);
  const growing = new Uint8Array(new ArrayBuffer(10, { maxByteLength: 10 }), 0, 5);
  releaseBytes(growing);
  expect(growing.length).toBe(0);
  const memory = new Uint8Array(10);
  releaseBytes(memory.subarray(0, 5));
  expect(memory.length).toBe(10);
  const shared = new Uint8Array(new SharedArrayBuffer(10));
  releaseBytes(shared);
  expect(shared.length).toBe(10);
});

test('the companion releases the memory of originals and pictures without garbage collection', async () => {
  const seen: Uint8Array[] = [];
  const startKitchen: StartProcess = async (onMessage) => {
    const kitchen = await sharedKitchen((message) => {
      seen.push(...message.parts);
      onMessage(message);
    });
    const send: typeof kitchen.send = (message) => {
      seen.push(...message.parts);
      return kitchen.send(message);
    };
    return { ...kitchen, send };
  };
  const workers = createPhotoWorkers({ startKitchen });
  onTestFinished(() => workers.close());
  const [source, outDir] = [await drawLarge(), await createTempDir()];
  expectPrepared(await workers.prepare({ source, outDir }));
  await workers.picture({ source, path: join(outDir, 'picture') });
  await workers.thumbnail({ source, outDir });
  await workers.readBarcodes({ source });
  expect(seen.length).toBeGreaterThan(6);
  expect(seen.filter(({ length }) => length > 0)).toEqual([]);
});

test.each(['prepare', 'picture'] as const)(
  'a photo thread releases the memory of finished photos: %s',
  async (type) => {
    const thread = new Worker(fileURLToPath(kitchenCode.thread), { workerData: { wasm: false } });
    onTestFinished(async () => void (await thread.terminate()));
    const bytes = await readFile(await drawLarge());
    const say = (message: ToThread): void => thread.postMessage(message);
    const recipe = { longEdgePx: 1_600, format: 'jpeg' } as const;
    const make = (id: number): Promise<unknown> =>
      new Promise((resolve) => {
        thread.removeAllListeners('message');
        thread.on('message', (message: FromThread) => {
          if (message.type === 'weight') say({ type: 'go', id });
          if (message.type === 'result') resolve(message.result.result);
        });
        const job: PhotoJob = type === 'prepare' ? { type, id, ...recipe, edits: noEdits } : { type, id, ...recipe };
        const original = new Uint8Array(bytes);
        thread.postMessage({ type: 'job', job, original, isAlone: false } satisfies ToThread, [original.buffer]);
      });
    const held = async (): Promise<number> => (await thread.getHeapStatistics()).external_memory;
    expect(await make(1)).toMatchObject({ ok: true });
    const before = await held();
    for (let id = 2; id <= 3; id += 1) await make(id);
    // The pixels of one photo alone take more memory.
    expect((await held()) - before).toBeLessThan(2e6);
  },
);

/** Creates a client whose process answers at once but reads the request only when the test calls `take`. */
const createEarlyAnsweringClient = (sleep: (ms: number, signal?: AbortSignal) => Promise<unknown>) => {
  const sent = Promise.withResolvers<undefined>();
  const lines: string[] = [];
  const client = createProcessClient<{ type: 'job' }, { type: 'done'; id: number }>({
    start: (onMessage) =>
      Promise.resolve({
        facts: {},
        send: () => {
          queueMicrotask(() => onMessage({ head: { type: 'done', id: 1 }, parts: [] }));
          return sent.promise;
        },
        keepParentAlive: () => undefined,
        // A killed process reads nothing more from its pipe.
        kill: () => sent.resolve(undefined),
        ended: new Promise(() => undefined),
      }),
    sleep,
    log: (_level, sentence) => void lines.push(sentence),
    sentences: { started: 'started', ended: 'ended', held: 'held' },
    answersWithinMs: 1_000,
    read: () => ({ type: 'done', id: 1 }),
    fits: () => true,
  });
  const answer = client.ask({ type: 'job' }, new Uint8Array(9), new AbortController().signal);
  return { answer, take: () => sent.resolve(undefined), lines };
};

test('a result is delivered only after the process has read the whole request', async () => {
  const { answer, take, lines } = createEarlyAnsweringClient(() => new Promise(() => undefined));
  let isAnswered = false;
  const noted = answer.then(() => (isAnswered = true));
  for (let nth = 0; nth < 5; nth += 1) await setImmediate();
  expect(isAnswered).toBe(false);
  take();
  await noted;
  expect(lines).toEqual(['started']);
});

test('a process that answers without reading the whole request is ended', async () => {
  const never = new Promise(() => undefined);
  const { answer, lines } = createEarlyAnsweringClient((ms, signal) =>
    ms === 5_000 ? setImmediate(0, { signal }) : never,
  );
  await answer;
  expect(lines).toEqual(['started', 'ended']);
});
