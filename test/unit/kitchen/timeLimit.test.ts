import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { startPhotoThread } from '../../../src/kitchen/photoThread.ts';
import type { PhotoJob } from '../../../src/photoContract/messages.ts';
import { noEdits } from '../../../src/photoContract/constants.ts';
import { createTempDir } from '../../helpers/photos/photoWorld.ts';

const limitMs = 120_000;

// The thread runs in real time; only its time limit uses the fake clock.
beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

/**
 * Starts a thread that never finishes: a thumbnail loops at once, a photo after it has got memory for its pixels. The
 * photo requests the memory when the test calls `openGate`.
 */
const startLoopingThread = async (room: Parameters<typeof startPhotoThread>[1]) => {
  const path = join(await createTempDir(), 'looping.mjs');
  const gate = new Int32Array(new SharedArrayBuffer(4));
  const openGate = (): void => {
    Atomics.store(gate, 0, 1);
    Atomics.notify(gate, 0);
  };
  onTestFinished(openGate);
  await writeFile(
    path,
    `import { parentPort, workerData } from 'node:worker_threads';
     parentPort.on('message', ({ type, job }) => {
       if (type === 'go' || job.type === 'thumbnail') for (;;);
       Atomics.wait(workerData.gate, 0, 0);
       parentPort.postMessage({ type: 'weight', id: job.id, pixels: 10 });
     });`,
  );
  const start = { wasm: false, gate };
  const thread = startPhotoThread({ url: pathToFileURL(path), start, flags: [] }, room);
  onTestFinished(() => thread.stop());
  const outcome: unknown[] = [];
  const run = (job: PhotoJob): void =>
    void thread.run(job, new Uint8Array(8), false).then((made) => outcome.push(made));
  /** Returns the outcome of the job after this much more time. */
  const after = async (ms: number): Promise<unknown[]> => {
    await vi.advanceTimersByTimeAsync(ms);
    return outcome;
  };
  return { thread, run, after, openGate };
};

const noRoom = { ask: () => ({ leave: () => undefined }) };

test('a thumbnail is aborted at its time limit if the decoder loops', async () => {
  const { thread, run, after } = await startLoopingThread(noRoom);
  run({ type: 'thumbnail', id: 1, isWhole: true });
  expect(await after(limitMs - 1)).toEqual([]);
  expect(await after(1)).toEqual([null]);
  expect(thread.usable()).toBe(false);
});

test('the time limit of a photo excludes only the wait for memory', async () => {
  const asked = Promise.withResolvers<() => void>();
  const { run, after, openGate } = await startLoopingThread({
    ask: (_pixels, entered) => {
      asked.resolve(entered);
      return { leave: () => undefined };
    },
  });
  run({ type: 'prepare', id: 1, longEdgePx: 1600, format: 'jpeg', edits: noEdits });
  expect(await after(50_000)).toEqual([]);
  openGate();
  const enter = await asked.promise;
  expect(await after(10 * limitMs)).toEqual([]);
  enter();
  expect(await after(limitMs - 50_001)).toEqual([]);
  expect(await after(1)).toEqual([null]);
});
