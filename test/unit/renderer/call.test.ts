import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { CallReply } from '../../../src/ipc/calls.ts';
import { callCore, CallError, maxAnswerMs, getErrorSentence } from '../../../src/renderer/src/api/call.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Stubs a window whose host answers only when the test calls the returned function. */
const stubSilentHost = () => {
  let answer = (_reply: CallReply): void => undefined;
  const reply = new Promise<CallReply>((resolve) => (answer = resolve));
  vi.stubGlobal('window', { companion: { call: () => reply } });
  return answer;
};

test('a call without an answer from the core fails with a sentence and a code', async () => {
  stubSilentHost();
  const failed = callCore('items.counts', {}).catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(maxAnswerMs);
  const error = await failed;
  expect(error).toBeInstanceOf(CallError);
  expect(error).toMatchObject({ code: 'NO_ANSWER' });
  expect(getErrorSentence(error)).toMatch(/has not answered for 30 seconds.+Check before you try again/);
});

test('an answered call leaves no timer, and a service call can exceed the time limit', async () => {
  const answerCounts = stubSilentHost();
  const counted = callCore('items.counts', {});
  await vi.advanceTimersByTimeAsync(maxAnswerMs - 1);
  answerCounts({ ok: true, value: 7 });
  expect(await counted).toBe(7);
  expect(vi.getTimerCount()).toBe(0);

  const answerService = stubSilentHost();
  const performed = callCore('service.perform', { route: 'readStanding', input: {} });
  await vi.advanceTimersByTimeAsync(10 * maxAnswerMs);
  answerService({ ok: true, value: { state: 'done', answer: {} } });
  expect(await performed).toEqual({ state: 'done', answer: {} });
});
