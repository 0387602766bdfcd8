/**
 * Something that a person or an assistant can act on: a sentence, a stable code, the field it is about, and the seconds
 * to wait where waiting helps. Everything that leaves the core as an error is one of these.
 */
export class Problem extends Error {
  readonly code: string;
  readonly field: string | undefined;
  readonly retryAfterS: number | undefined;

  constructor(code: string, sentence: string, more: { field?: string; retryAfterS?: number; cause?: unknown } = {}) {
    super(sentence, { cause: more.cause });
    this.name = 'Problem';
    this.code = code;
    this.field = more.field;
    this.retryAfterS = more.retryAfterS;
  }
}

/** What crosses to a window or an assistant. */
export type ProblemView = { code: string; sentence: string; field?: string; retryAfterS?: number };

/** The view of any thrown value; what is not a Problem becomes one plain sentence, as its text may hold anything. */
export const problemView = (error: unknown): ProblemView =>
  error instanceof Problem
    ? {
        code: error.code,
        sentence: error.message,
        ...(error.field === undefined ? {} : { field: error.field }),
        ...(error.retryAfterS === undefined ? {} : { retryAfterS: error.retryAfterS }),
      }
    : { code: 'INTERNAL', sentence: 'Something went wrong in the companion. Nothing was sent; please try again.' };
