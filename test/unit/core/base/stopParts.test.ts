import { expect, test } from 'vitest';
import { stopParts, type StoppablePart } from '../../../../src/core/base/stopParts.ts';
import { waitUntil, createTestClock } from '../../../helpers/testClock.ts';

const createStopFixture = () => {
  const clock = createTestClock();
  const lines: string[] = [];
  const order: string[] = [];
  const part = (name: string, stop: StoppablePart['stop'] = () => undefined): StoppablePart => ({
    name,
    stop: () => {
      order.push(name);
      return stop();
    },
  });
  const log = (level: string, message: string, facts = {}): void =>
    void lines.push(`${level} ${message} ${JSON.stringify(facts)}`);
  return { clock, lines, order, part, stopping: { clock, log } };
};
const waitForever = (): Promise<void> => new Promise(() => undefined);

test('the parts of the companion are stopped one after another, without log lines', async () => {
  const { order, lines, part, stopping, clock } = createStopFixture();
  expect(await stopParts([part('a', async () => undefined), part('b')], stopping)).toEqual([]);
  expect([order, lines]).toEqual([['a', 'b'], []]);
  // A remaining timer would keep the process alive.
  expect(clock.next()).toBeNull();
});

test('the other parts of the companion are still stopped if one part exceeds its time limit', async () => {
  const { order, lines, part, stopping, clock } = createStopFixture();
  const stopped = stopParts([part('a'), part('stuck', waitForever), part('b')], stopping);
  await waitUntil(() => order.includes('stuck') && clock.next() !== null, 'the bound');
  expect(order).toEqual(['a', 'stuck']);
  clock.advance(5_000);
  expect(await stopped).toEqual(['stuck']);
  expect(order).toEqual(['a', 'stuck', 'b']);
  expect(lines).toEqual(['error a part did not stop {"part":"stuck"}']);
});

test('a companion part that fails to stop is logged without private details', async () => {
  const { order, lines, part, stopping } = createStopFixture();
  const fail = (): never => {
    throw new Error('with /home/ada in it');
  };
  expect(await stopParts([part('a', fail), part('b', async () => fail()), part('c')], stopping)).toEqual([]);
  expect(order).toEqual(['a', 'b', 'c']);
  expect(lines).toHaveLength(2);
  expect(lines.join()).not.toContain('ada');
});

test('a nested companion part reports its own parts that have not stopped', async () => {
  const { part, stopping, clock } = createStopFixture();
  const inner = part('whole', () => stopParts([part('x', waitForever), part('y')], stopping));
  const stopped = stopParts([{ ...inner, maxStopMs: 30_000 }], stopping);
  await waitUntil(() => clock.next() === 5_000, 'the inner bound');
  clock.advance(5_000);
  expect(await stopped).toEqual(['x']);
});
