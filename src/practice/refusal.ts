import type * as z from 'zod';

type RefusalFacts = {
  code?: string;
  headers?: Record<string, string>;
  body?: Record<string, unknown>;
};

/** Thrown to refuse a call. It also rolls back the enclosing transaction. */
export class Refusal extends Error {
  readonly status: number;
  readonly facts: RefusalFacts;

  constructor(status: number, sentence: string, facts: RefusalFacts = {}) {
    super(sentence);
    this.name = 'Refusal';
    this.status = status;
    this.facts = facts;
  }
}

/** Throws a `Refusal` with a status, a sentence for the person and an optional code. */
export const refuseCall = (status: number, sentence: string, code?: string, facts: RefusalFacts = {}): never => {
  throw new Refusal(status, sentence, code === undefined ? facts : { code, ...facts });
};

/** Returns a Retry-After header, which is in seconds. */
export const createRetryAfterHeader = (waitMs: number): Record<string, string> => ({
  'retry-after': String(Math.max(1, Math.ceil(waitMs / 1000))),
});

/**
 * Parses a body that the interface does not define. If it is invalid, refuses with 400 and names the first invalid
 * field.
 */
export const parseOpenBody = <S extends z.ZodType>(schema: S, body: unknown): z.output<S> => {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  return refuseCall(400, `${issue?.path.map(String).join('.') || 'body'}: ${issue?.message ?? 'is not valid.'}`);
};
