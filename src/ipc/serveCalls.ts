import type * as z from 'zod';
import type { ProblemView } from '../core/base/problem.ts';
import { formatEnglish } from '../i18n/english.ts';
import { message, type Message } from '../i18n/message.ts';
import { calls, type AnyHandlers, type CallName, type CallParsed, type Reply } from './calls.ts';

/** An answer of the service has 64 levels at most; calls put it into a few of their own. */
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

/** The schemas of the inputs, each paired with its name: so a parsed input fits the handler of the same name. */
const inputs: { readonly [N in CallName]: { input: z.ZodType<CallParsed<N>> } } = calls;

/** Parses the input of a call, and has it answered. */
const answer = async <N extends CallName>(handlers: AnyHandlers, name: N, input: unknown): Promise<Reply> => {
  const parsed = inputs[name].input.safeParse(input ?? undefined);
  if (!parsed.success) return refusedInput(parsed.error);
  const value: unknown = (await handlers[name](parsed.data)) ?? null;
  // What is written out to a window by walking through it ends the process where it goes too deep.
  return isDeeper(value, mostLevels)
    ? refused('UNEXPECTED_ANSWER', message('problems.UNEXPECTED_ANSWER.strange'))
    : { ok: true, value };
};

/**
 * Answers the calls of a window: parses name and input with the table, runs the handler, and turns what is thrown into
 * data by `problemView`. Every host serves its windows through it, so that no handler ever sees an input that was not
 * parsed. What it gives back never rejects.
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
