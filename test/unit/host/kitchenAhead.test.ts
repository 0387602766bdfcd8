import { expect, test } from 'vitest';
import { startKitchenAhead } from '../../../src/host/kitchen.ts';
import type { ClientProcess, StartProcess } from '../../../src/isolated/processClient.ts';

/** Creates a start function whose processes are numbered. */
const createCountedStarter = () => {
  const listeners: Parameters<StartProcess>[0][] = [];
  const start: StartProcess = (onMessage) => {
    const facts = { number: String(listeners.push(onMessage)) };
    const process: ClientProcess = {
      facts,
      send: () => Promise.resolve(),
      keepParentAlive: () => undefined,
      kill: () => undefined,
      ended: new Promise(() => undefined),
    };
    return Promise.resolve(process);
  };
  return { start, listeners };
};

test('the first caller gets a photo process that was started in advance', async () => {
  const { start, listeners } = createCountedStarter();
  const ask = startKitchenAhead(start);
  expect(listeners.length).toBe(1);
  const heads: unknown[] = [];
  expect((await ask(({ head }) => heads.push(head))).facts).toEqual({ number: '1' });
  listeners[0]?.({ head: 'a result', parts: [] });
  expect(heads).toEqual(['a result']);
  expect((await ask(() => undefined)).facts).toEqual({ number: '2' });
});

test('a failed early start of the photo process is reported only to the next caller', async () => {
  const ask = startKitchenAhead(() => Promise.reject(new Error('no kitchen')));
  await new Promise(setImmediate);
  await expect(ask(() => undefined)).rejects.toThrow('no kitchen');
});
