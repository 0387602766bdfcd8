import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createPhotoQueue, type SendPhotoJob } from '../../../../src/core/photos/photoQueue.ts';
import { createWindowUse } from '../../../../src/core/presence/windowSessions.ts';

const maxJobs = 3;

/** A queue of nine photos. The photo process ends a job when `endJob` is called. */
const openQueue = () => {
  let nowMs = 0;
  const windowUse = createWindowUse({ elapsedMs: () => nowMs });
  const running: (() => void)[] = [];
  const send: SendPhotoJob = async () => {
    const ended = Promise.withResolvers<void>();
    running.push(ended.resolve);
    await ended.promise;
    return { result: { type: 'thumbnail', id: 0, result: 'none' }, pictures: [] };
  };
  const queue = createPhotoQueue(
    () => send,
    maxJobs,
    () => (windowUse.isNow() ? 1 : maxJobs),
  );
  const done = Array.from({ length: 9 }, () =>
    queue.add(
      'prepare',
      (ask) => ask({ type: 'barcodes' }, new Uint8Array()),
      () => null,
    ),
  );
  return {
    windowUse,
    running,
    done,
    wait: (ms: number) => void (nowMs += ms),
    endJob: async (): Promise<void> => {
      running.shift()?.();
      await nextTurn();
    },
  };
};

test('while the person uses a window, one photo at a time is decoded; two seconds later, several are', async () => {
  const { windowUse, running, done, wait, endJob } = openQueue();
  await nextTurn();
  expect(running).toHaveLength(3);

  // Photos that are being decoded are not interrupted.
  windowUse.note();
  await endJob();
  expect(running).toHaveLength(2);
  await endJob();
  expect(running).toHaveLength(1);
  await endJob();
  expect(running).toHaveLength(1);

  wait(1_000);
  windowUse.note();
  wait(1_999);
  await endJob();
  expect(running).toHaveLength(1);
  wait(1);
  await endJob();
  expect(running).toHaveLength(3);
  while (running.length > 0) await endJob();
  expect(await Promise.all(done)).toHaveLength(9);
});
