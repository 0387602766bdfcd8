import type * as z from 'zod';
import { inEnglish } from '../words/inEnglish.ts';
import { saying, type Saying } from '../words/saying.ts';
import type { ProblemView } from '../core/problem.ts';
import { calls, type CallName, type Handlers, type Reply } from './calls.ts';

const isCallName = (name: unknown): name is CallName => typeof name === 'string' && Object.hasOwn(calls, name);

const refused = (code: string, says: Saying, field?: string): Reply => ({
  ok: false,
  problem: { code, sentence: inEnglish(says), says, ...(field === undefined ? {} : { field }) },
});

const refusedInput = (error: z.ZodError): Reply => {
  const issue = error.issues[0];
  const field = issue?.path.join('.') || undefined;
  const why = issue?.message ?? 'unknown';
  const says =
    field === undefined
      ? saying('problems.INVALID_INPUT.whole', { why })
      : saying('problems.INVALID_INPUT.field', { field, why });
  return refused('INVALID_INPUT', says, field);
};

/**
 * Answers the calls of a window: parses name and input with the table, runs the handler, and turns what is thrown into
 * data. Every host serves its windows through it, so that no handler ever sees an input that was not parsed.
 */
export const serveCalls =
  (handlers: Handlers, problemView: (error: unknown) => ProblemView) =>
  async (name: unknown, input: unknown): Promise<Reply> => {
    if (!isCallName(name)) return refused('UNKNOWN_CALL', saying('problems.UNKNOWN_CALL'));
    const parsed = calls[name].input.safeParse(input ?? undefined);
    if (!parsed.success) return refusedInput(parsed.error);
    // The table pairs each name with its input; the pairing is lost on a name that is only known at run time.
    const handle = handlers[name] as (parsedInput: unknown) => Promise<unknown>;
    try {
      return { ok: true, value: (await handle(parsed.data)) ?? null };
    } catch (error) {
      return { ok: false, problem: problemView(error) };
    }
  };
