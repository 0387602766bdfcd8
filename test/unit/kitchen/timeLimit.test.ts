import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { startPhotoThread } from '../../../src/kitchen/photoThread.ts';
import type { PhotoJob } from '../../../src/photoContract/messages.ts';
import { noEdits } from '../../../src/photoContract/constants.ts';
import { tempDir } from '../../helpers/photos/photoWorld.ts';

const limitMs = 120_000;

// The thread runs in real time; only its limit is by this clock.
beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

/**
 * A thread that never comes to an end: with a thumbnail from the start, with a photo once there is room for its pixels.
 * It asks for that when the test says so.
 */
const loopingThread = async (room: Parameters<typeof startPhotoThread>[1]) => {
  const path = join(await tempDir(), 'looping.mjs');
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
  const run = (job: PhotoJob): void => void thread.run(job, new Uint8Array(8)).then((made) => outcome.push(made));
  /** What has come of the job when this much more time has passed. */
  const after = async (ms: number): Promise<unknown[]> => {
    await vi.advanceTimersByTimeAsync(ms);
    return outcome;
  };
  return { thread, run, after, openGate };
};

const noRoom = { ask: () => ({ leave: () => undefined }) };

test('a thumbnail whose decoder loops is aborted, even without asking for memory', async () => {
  const { thread, run, after } = await loopingThread(noRoom);
  run({ type: 'thumbnail', id: 1, isWhole: true });
  expect(await after(limitMs - 1)).toEqual([]);
  expect(await after(1)).toEqual([null]);
  expect(thread.usable()).toBe(false);
});

test('the time limit of a photo excludes the wait for memory and includes the time before and after', async () => {
  const asked = Promise.withResolvers<() => void>();
  const { run, after, openGate } = await loopingThread({
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
