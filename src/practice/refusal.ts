import type * as z from 'zod';

/** What a refused call is answered with. */
type RefusalFacts = {
  code?: string;
  headers?: Record<string, string>;
  /** More fields of the body, e.g. `rateCents`. */
  body?: Record<string, unknown>;
};

/** A call that the service does not do. Thrown, so that it also takes back the transaction it happened in. */
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

/** Refuses with a status, a sentence for the person and, where there is one, a stable code. */
export const refuse = (status: number, sentence: string, code?: string, facts: RefusalFacts = {}): never => {
  throw new Refusal(status, sentence, code === undefined ? facts : { code, ...facts });
};

/** The header that says in how many seconds a call may come again. */
export const retryAfter = (waitMs: number): Record<string, string> => ({
  'retry-after': String(Math.max(1, Math.ceil(waitMs / 1000))),
});

/** Parses a body that the interface leaves open; refuses with 400 and the first field that does not fit. */
export const parseOpen = <S extends z.ZodType>(schema: S, body: unknown): z.output<S> => {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  return refuse(400, `${issue?.path.map(String).join('.') || 'body'}: ${issue?.message ?? 'is not valid.'}`);
};
