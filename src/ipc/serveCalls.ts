import type * as z from 'zod';
import type { ProblemView } from '../core/base/problem.ts';
import { formatEnglish } from '../i18n/english.ts';
import { message, type Message } from '../i18n/message.ts';
import { calls, type AnyHandlers, type CallName, type CallParsed, type Reply } from './calls.ts';

/** An answer of the service has at most 64 levels; calls wrap it in a few more. */
const mostLevels = 80;

const isDeeper = (value: unknown, levels: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  !ArrayBuffer.isView(value) &&
  (levels === 0 || Object.values(value).some((part) => isDeeper(part, levels - 1)));

const isCallName = (name: unknown): name is CallName => typeof name === 'string' && Object.hasOwn(calls, name);

const refused = (code: string, says: Message, field?: string): Reply => ({
  ok: false,
  problem: { code, sentence: formatEnglish(says), says, ...(field === undefined ? {} : { field }) },
});

const refusedInput = (error: z.ZodError): Reply => {
  const issue = error.issues[0];
  const field = issue?.path.join('.') || undefined;
  const why = issue?.message ?? 'unknown';
  const says =
    field === undefined
      ? message('problems.INVALID_INPUT.whole', { why })
      : message('problems.INVALID_INPUT.field', { field, why });
  return refused('INVALID_INPUT', says, field);
};

/** The input schemas, each paired with its name, so that a parsed input matches the handler of the same name. */
const inputs: { readonly [N in CallName]: { input: z.ZodType<CallParsed<N>> } } = calls;

const answer = async <N extends CallName>(handlers: AnyHandlers, name: N, input: unknown): Promise<Reply> => {
  const parsed = inputs[name].input.safeParse(input ?? undefined);
  if (!parsed.success) return refusedInput(parsed.error);
  const value: unknown = (await handlers[name](parsed.data)) ?? null;
  // A value nested too deeply would crash the process when it is serialised for a window.
  return isDeeper(value, mostLevels)
    ? refused('UNEXPECTED_ANSWER', message('problems.UNEXPECTED_ANSWER.strange'))
    : { ok: true, value };
};

/**
 * Serves the calls of a window: validates name and input, runs the handler and converts errors by `problemView`. Every
 * host uses it, so that no handler gets an unparsed input. The returned function never rejects.
 */
export const serveCalls =
  (handlers: AnyHandlers, problemView: (error: unknown, name: CallName) => ProblemView) =>
  async (name: unknown, input: unknown): Promise<Reply> => {
    if (!isCallName(name)) return refused('UNKNOWN_CALL', message('problems.UNKNOWN_CALL'));
    if (isDeeper(input, mostLevels))
      return refused('INVALID_INPUT', message('problems.INVALID_INPUT.whole', { why: 'nested too deep' }));
    try {
      return await answer(handlers, name, input);
    } catch (error) {
      return { ok: false, problem: problemView(error, name) };
    }
  };
