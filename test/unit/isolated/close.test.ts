import { expect, test } from 'vitest';
import { createProcessClient } from '../../../src/isolated/processClient.ts';

/** A client with a job in a process that does not end after a kill; records the calls to the process. */
const withSlowEnd = async () => {
  const done: string[] = [];
  const started = Promise.withResolvers<undefined>();
  const client = createProcessClient<{ type: 'job' }, { type: 'done'; id: number }>({
    start: () =>
      Promise.resolve({
        facts: {},
        send: () => Promise.resolve(started.resolve(undefined)),
        keepParentAlive: (isHeld) => void done.push(isHeld ? 'held' : 'let go'),
        kill: () => void done.push('killed'),
        ended: new Promise(() => undefined),
      }),
    sleep: () => new Promise(() => undefined),
    log: () => undefined,
    sentences: { started: 'started', ended: 'ended', held: 'held' },
    answersWithinMs: 1_000,
    read: () => null,
    fits: () => true,
  });
  const lost = client.ask({ type: 'job' }, new Uint8Array(9), new AbortController().signal).catch(String);
  await started.promise;
  done.length = 0;
  return { client, done, lost };
};

test('a client that is exiting kills its process without waiting, and its jobs are lost', async () => {
  const { client, done, lost } = await withSlowEnd();
  await client.close({ left: true });
  expect(done).toEqual(['let go', 'killed']);
  expect(await lost).toContain('JobLost');
});

test('closing a client waits until its process has ended', async () => {
  const { client, done } = await withSlowEnd();
  let isClosed = false;
  void client.close().then(() => (isClosed = true));
  await new Promise(setImmediate);
  expect(done).toEqual(['held', 'killed']);
  expect(isClosed).toBe(false);
});
