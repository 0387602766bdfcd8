import { expect, test } from 'vitest';
import { createProcessClient } from '../../../src/isolated/processClient.ts';

/** Creates a client with a job in a process that does not end after a kill. `done` records the calls to the process. */
const createSlowlyEndingClient = async () => {
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

test('an exiting client kills its process without a delay, and jobs in progress fail', async () => {
  const { client, done, lost } = await createSlowlyEndingClient();
  await client.close({ left: true });
  expect(done).toEqual(['let go', 'killed']);
  expect(await lost).toContain('JobLost');
});

test('a client is closed only after its process has ended', async () => {
  const { client, done } = await createSlowlyEndingClient();
  let isClosed = false;
  void client.close().then(() => (isClosed = true));
  await new Promise(setImmediate);
  expect(done).toEqual(['held', 'killed']);
  expect(isClosed).toBe(false);
});
