import { hostname } from 'node:os';
import { parseInput } from '../../contract/index.ts';
import type { Connection } from './connection.ts';
import { Problem, problemText, type ProblemText } from '../base/problem.ts';
import type { ServiceClient } from './serviceClient.ts';

/** Asks for a sign-in code. The answer is the same whether or not there is an account. */
export const startSignIn = async (client: ServiceClient, email: string) => {
  const parsed = parseInput('startSignIn', {
    body: { email: email.trim(), agentLabel: `Listing Companion on ${hostname()}`.slice(0, 100) },
  });
  if (!parsed.ok) throw new Problem('INVALID_EMAIL', parsed.problem.message, { field: 'email' });
  const { answer } = await client.send('startSignIn', parsed.input);
  const link = (...names: string[]): string | null => {
    const found = names
      .map((name) => answer[name])
      .find((value) => typeof value === 'string' && /^https?:\/\//.test(value));
    return typeof found === 'string' ? found : null;
  };
  return {
    challengeId: answer.challengeId,
    termsUrl: link('termsUrl', 'terms', 'termsLink'),
    privacyUrl: link('privacyUrl', 'privacy', 'privacyLink'),
  };
};

/** What we say in the place of the service's sentence. */
const ours = (code: string, theirs: string): ProblemText | null => {
  // The service's sentence says more than ours about how many tries are left.
  if (code === 'INVALID_CODE') return problemText(isUsedUp(theirs) ? 'INVALID_CODE.usedUp' : 'INVALID_CODE.wrong');
  return code === 'AGENT_KEY_LIMIT' || code === 'ACCOUNT_BUSY' || code === 'ACCOUNT_UNAVAILABLE'
    ? problemText(code)
    : null;
};

/** Exchanges the code for the key and puts it away. The key is in no answer and in no error. */
export const verifySignIn = async (
  client: ServiceClient,
  connection: Connection,
  given: { challengeId: string; email: string; code: string },
): Promise<void> => {
  const body = { challengeId: given.challengeId, email: given.email.trim(), code: given.code.replace(/\s/g, '') };
  const parsed = parseInput('verifySignIn', { body });
  if (!parsed.ok) throw new Problem('INVALID_CODE', parsed.problem.message, { field: parsed.problem.field });
  const { answer } = await client.send('verifySignIn', parsed.input).catch((error: unknown) => {
    if (!(error instanceof Problem)) throw error;
    const text = ours(error.code, error.message) ?? { sentence: error.message, says: error.says };
    throw new Problem(error.code, text.sentence, {
      says: text.says,
      field: 'code',
      ...(error.retryAfterS === undefined ? {} : { retryAfterS: error.retryAfterS }),
    });
  });
  await connection.save(answer.userId, body.email, answer.apiKey);
};

const isUsedUp = (sentence: string): boolean => /used up|start again|restart/i.test(sentence);
