import * as z from 'zod';
import type { ProblemView } from '../core/base/problem.ts';
import { formatEnglishMessage } from '../i18n/english.ts';
import { createMessage, type Message } from '../i18n/message.ts';
import { calls, type CallHandlers, type CallName, type ParsedCallInput, type CallReply } from './calls.ts';

/** An answer of the service has at most 64 levels, and a call adds a few more. */
const maxLevels = 80;

const isDeeperThan = (value: unknown, levels: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  !ArrayBuffer.isView(value) &&
  (levels === 0 || Object.values(value).some((part) => isDeeperThan(part, levels - 1)));

const isCallName = (name: unknown): name is CallName => typeof name === 'string' && Object.hasOwn(calls, name);

const createProblemReply = (code: string, says: Message, field?: string): CallReply => ({
  ok: false,
  problem: { code, sentence: formatEnglishMessage(says), says, ...(field === undefined ? {} : { field }) },
});

/** Names the first invalid field of an input, or the whole input. */
export const describeInvalidInput = ({ issues: [issue] }: z.ZodError): { field: string | undefined; why: string } => ({
  field: issue?.path.join('.') || undefined,
  why: issue?.message ?? 'unknown',
});

const createInvalidInputReply = (error: z.ZodError): CallReply => {
  const { field, why } = describeInvalidInput(error);
  const says =
    field === undefined
      ? createMessage('problems.INVALID_INPUT.whole', { why })
      : createMessage('problems.INVALID_INPUT.field', { field, why });
  return createProblemReply('INVALID_INPUT', says, field);
};

/** The type pairs each schema with its name, so that a parsed input matches the handler with the same name. */
const inputSchemas: { readonly [N in CallName]: { input: z.ZodType<ParsedCallInput<N>> } } = calls;

/**
 * Uses up the proof of a call that needs one. Throws PROOF_NEEDED if a proof is set up and this one does not cover exactly
 * this call.
 */
export type RequireProof = <N extends CallName>(
  name: N,
  input: ParsedCallInput<N>,
  proofId: string | undefined,
) => void;

type CallServerParts = {
  handlers: CallHandlers;
  requireProof: RequireProof;
  problemView: (error: unknown, name: CallName) => ProblemView;
};

/** Which window sent the call. `proofId` comes from the window and should name a proof of the person. */
export type Caller = { windowSession?: string | undefined; proofId?: unknown };

const proofIdField = z.object({ proofId: z.string().max(100).optional() });

const parseAndAnswer = async <N extends CallName>(
  { handlers, requireProof }: CallServerParts,
  { name, input, windowSession, proofId }: { name: N; input: unknown } & Caller,
): Promise<CallReply> => {
  const parsed = inputSchemas[name].input.safeParse(input ?? undefined);
  if (!parsed.success) return createInvalidInputReply(parsed.error);
  const given = proofIdField.safeParse({ proofId });
  if (!given.success) return createInvalidInputReply(given.error);
  requireProof(name, parsed.data, given.data.proofId);
  const value: unknown = (await handlers[name](parsed.data, windowSession, given.data.proofId)) ?? null;
  // A value that is nested too deeply would crash the process when it is serialised.
  return isDeeperThan(value, maxLevels)
    ? createProblemReply('UNEXPECTED_ANSWER', createMessage('problems.UNEXPECTED_ANSWER.strange'))
    : { ok: true, value };
};

/**
 * Creates the function that serves the calls of a window; it never rejects. Every host uses this function, so that no
 * handler gets an unparsed input.
 */
export const createCallServer =
  (parts: CallServerParts) =>
  async (name: unknown, input: unknown, caller: Caller = {}): Promise<CallReply> => {
    if (!isCallName(name)) return createProblemReply('UNKNOWN_CALL', createMessage('problems.UNKNOWN_CALL'));
    if (isDeeperThan(input, maxLevels))
      return createProblemReply(
        'INVALID_INPUT',
        createMessage('problems.INVALID_INPUT.whole', { why: 'nested too deep' }),
      );
    try {
      return await parseAndAnswer(parts, { name, input, ...caller });
    } catch (error) {
      return { ok: false, problem: parts.problemView(error, name) };
    }
  };
