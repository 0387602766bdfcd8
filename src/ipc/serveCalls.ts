import type * as z from 'zod';
import type { ProblemView } from '../core/base/problem.ts';
import { formatEnglish } from '../i18n/english.ts';
import { message, type Message } from '../i18n/message.ts';
import { calls, type CallName, type Handlers, type Reply } from './calls.ts';

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

/**
 * Answers the calls of a window: parses name and input with the table, runs the handler, and turns what is thrown into
 * data. Every host serves its windows through it, so that no handler ever sees an input that was not parsed.
 */
export const serveCalls =
  (handlers: Handlers, problemView: (error: unknown) => ProblemView) =>
  async (name: unknown, input: unknown): Promise<Reply> => {
    if (!isCallName(name)) return refused('UNKNOWN_CALL', message('problems.UNKNOWN_CALL'));
    if (isDeeper(input, mostLevels))
      return refused('INVALID_INPUT', message('problems.INVALID_INPUT.whole', { why: 'nested too deep' }));
    // The table pairs each name with its input; the pairing is lost on a name that is only known at run time.
    const handle = handlers[name] as (parsedInput: unknown) => Promise<unknown>;
    try {
      const parsed = calls[name].input.safeParse(input ?? undefined);
      if (!parsed.success) return refusedInput(parsed.error);
      const value = (await handle(parsed.data)) ?? null;
      // What is written out to a window by walking through it ends the process where it goes too deep.
      return isDeeper(value, mostLevels)
        ? refused('UNEXPECTED_ANSWER', message('problems.UNEXPECTED_ANSWER.strange'))
        : { ok: true, value };
    } catch (error) {
      return { ok: false, problem: problemView(error) };
    }
  };
