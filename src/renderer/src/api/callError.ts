import type { Reply } from '../../../ipc/calls.ts';
import { t } from '../i18n/t.ts';
import { translate } from '../i18n/language.ts';

type Problem = Extract<Reply, { ok: false }>['problem'];

/** A call that was refused: a sentence for the person, a stable code, and the field and the wait it is about. */
export class CallError extends Error {
  readonly code: string;
  readonly field: string | undefined;
  readonly retryAfterS: number | undefined;
  readonly says: Problem['says'];

  constructor(problem: Problem) {
    super(problem.sentence);
    this.name = 'CallError';
    this.code = problem.code;
    this.field = problem.field;
    this.retryAfterS = problem.retryAfterS;
    this.says = problem.says;
  }
}

/** The sentence of anything thrown; what is not a CallError says only that it failed. */
export const sentenceOf = (error: unknown): string =>
  error instanceof CallError ? translate(error.says, error.message) : t('app.noAnswer');
