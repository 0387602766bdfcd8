import * as z from 'zod';
import { publishFixOf } from '../../contract/index.ts';
import { problemView } from '../../core/base/problem.ts';
import { ServiceError } from '../../core/service/serviceError.ts';
import { nextStep, untrusted } from './fields.ts';
import { stepAfterRefusal } from './nextSteps.ts';
import { entryOf } from '../../contract/foreign.ts';

/** Why a tool did nothing, and what to do about it. */
export const toolProblem = z.object({
  code: z.string(),
  error: z.string(),
  field: z.string().optional(),
  untrustedDetail: untrusted.optional(),
  retryAfterS: z.number().optional(),
  pairingCode: z.string().optional().describe('The code to compare in the companion.'),
  nextStep,
});
export type ToolProblem = z.infer<typeof toolProblem>;

/** Our own refusals whose sentence quotes the service, with the sentence that stands in for it. */
const ownSentences: Readonly<Record<string, string>> = {
  PUBLISH_BLOCKED: 'The listing cannot be published yet: something in it is missing or wrong.',
};

/** The sentence of ours that stands in for one that the service or a marketplace wrote; null when it is ours already. */
const ownSentenceFor = (error: unknown, code: string): string | null => {
  const own = entryOf(ownSentences, code);
  if (own !== undefined) return own;
  const theirs = error instanceof ServiceError && error.body !== undefined && error.body !== null;
  return theirs ? (publishFixOf(code)?.sentence ?? 'The service refused this.') : null;
};

/** A thrown error as tools answer it. What the service or a marketplace wrote about it stands apart from our sentence. */
export const toolProblemOf = (error: unknown): ToolProblem => {
  const { sentence, code, field, retryAfterS } = problemView(error);
  const ours = ownSentenceFor(error, code);
  const [place] = /^[\w.-]{1,100}/.exec(field ?? '') ?? [];
  return {
    code,
    error: ours ?? sentence,
    ...(place === undefined ? {} : { field: place }),
    ...(ours === null ? {} : { untrustedDetail: sentence }),
    ...(retryAfterS === undefined ? {} : { retryAfterS }),
    nextStep: stepAfterRefusal(code, retryAfterS),
  };
};
