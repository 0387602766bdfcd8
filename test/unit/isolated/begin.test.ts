import { expect, test } from 'vitest';
import { createProcessClient } from '../../../src/isolated/processClient.ts';

const never = new AbortController().signal;

/**
 * Creates a client of a process that never answers a job. `done` records the calls, and `endRest` ends the idle time.
 */
const createIdleClient = () => {
  const done: string[] = [];
  let over: () => void = () => undefined;
  const client = createProcessClient<{ type: 'job' }, { type: 'done'; id: number }>({
    start: () => {
      done.push('started');
      return Promise.resolve({
        facts: {},
        send: () => Promise.resolve(void done.push('sent')),
        keepParentAlive: () => undefined,
        kill: () => void done.push('killed'),
        ended: new Promise(() => undefined),
      });
    },
    sleep: (_ms, signal) =>
      new Promise((resolve, reject) => {
        over = () => resolve(undefined);
        signal?.addEventListener('abort', () => reject(new Error('A job arrived.')));
      }),
    log: () => undefined,
    sentences: { started: 'started', ended: 'ended', held: 'held' },
    answersWithinMs: 1_000,
    read: () => null,
    fits: () => true,
  });
  const soon = () => new Promise(setImmediate);
  return { client, done, soon, endRest: () => over() };
};

test('a process is started in advance only once and gets the next job', async () => {
  const { client, done, soon } = createIdleClient();
  client.begin();
  client.begin();
  await soon();
  expect(done).toEqual(['started']);
  client.ask({ type: 'job' }, new Uint8Array(9), never).catch(() => undefined);
  client.begin();
  await soon();
  expect(done).toEqual(['started', 'sent']);
});

test('a process started in advance is ended after its idle time if no job arrives', async () => {
  const { client, done, soon, endRest } = createIdleClient();
  client.begin();
  await soon();
  endRest();
  await soon();
  expect(done).toEqual(['started', 'killed']);
});
