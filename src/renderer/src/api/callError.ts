import type { Reply } from '../../../ipc/calls.ts';
import { en } from '../i18n/en/index.ts';
import { i18n, t } from '../i18n/t.ts';

type Problem = Extract<Reply, { ok: false }>['problem'];

/** A call that was refused: a sentence for the person, a stable code, and the field and the wait it is about. */
export class CallError extends Error {
  readonly code: string;
  readonly field: string | undefined;
  readonly retryAfterS: number | undefined;

  constructor(problem: Problem) {
    super(problem.sentence);
    this.name = 'CallError';
    this.code = problem.code;
    this.field = problem.field;
    this.retryAfterS = problem.retryAfterS;
  }
}

/** In another language than the core's, what the code means; what has no text there keeps the core's own sentence. */
const translated = ({ code }: CallError): string | null =>
  i18n.language !== 'en' && Object.hasOwn(en.problems, code) ? t(`problems.${code as keyof typeof en.problems}`) : null;

/** The sentence of anything thrown; what is not a CallError says only that it failed. */
export const sentenceOf = (error: unknown): string =>
  error instanceof CallError ? (translated(error) ?? error.message) : t('app.noAnswer');
