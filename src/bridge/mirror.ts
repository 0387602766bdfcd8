import type { Request, Response } from 'express';
import { matchRoute, rawInput, type RawInput, type RouteName } from '../contract/index.ts';
import type { Outcome } from '../core/approvals/approval.ts';
import type { Companion } from '../core/companion.ts';
import { Problem } from '../core/problem.ts';
import { caller, hangUpOf, waitMsOf } from './guard.ts';

/** Routes whose answer is a page that only the person may open. */
const linkRoutes: readonly RouteName[] = [
  'readMarketAuthUrl',
  'connectChannel',
  'createCheckoutToken',
  'createCheckout',
  'createPortal',
];

export const pollAfterMs = 2_000;

/** Serves every route of the interface under the interface's own paths, through the one door. */
export const mirror =
  (companion: Companion) =>
  async (request: Request, response: Response): Promise<void> => {
    const [path = '/', search = ''] = request.originalUrl.split('?');
    const match = matchRoute(request.method, path);
    if (match.kind === 'refused')
      throw new Problem('NOT_FOR_ASSISTANTS', 'This part of the service is not for assistants.');
    if (match.kind === 'method') {
      response.setHeader('Allow', match.allowed.join(', '));
      throw new Problem('METHOD_NOT_ALLOWED', `This path takes ${match.allowed.join(' and ')}.`);
    }
    if (match.kind === 'unknown')
      throw new Problem('UNKNOWN_ROUTE', 'The companion and the service have no such path. See /companion/guide.');
    if (match.name === 'startSignIn' || match.name === 'verifySignIn') {
      throw new Problem(
        'CONNECTION_IS_THE_PERSONS',
        'The person connects the account in the companion. Ask them to open it.',
      );
    }
    const by = caller(companion.assistants, request);
    if (linkRoutes.includes(match.name)) {
      throw new Problem(
        'LINKS_ARE_THE_PERSONS',
        'The person opens this page from the companion. Ask them to do it there.',
      );
    }
    const outcome = await companion.perform({
      by,
      route: match.name,
      input: inputOf(request, match.params, search),
      reason: reasonOf(request),
      waitMs: waitMsOf(request),
      signal: hangUpOf(request, response),
    });
    sendOutcome(response, outcome);
  };

const longestReason = 500;

/** Why the assistant asks, in its own words (`Companion-Reason`, percent-encoded); shown to the person as such. */
const reasonOf = (request: Request): string | undefined => {
  const given = request.headers['companion-reason'];
  if (typeof given !== 'string') return undefined;
  try {
    return decodeURIComponent(given).slice(0, longestReason);
  } catch {
    throw new Problem('INVALID_REQUEST', 'Percent-encode the reason.', { field: 'Companion-Reason' });
  }
};

const inputOf = (request: Request, params: Record<string, string>, search: string): RawInput => {
  const key = request.headers['idempotency-key'];
  const body: unknown = request.body;
  return rawInput.parse({
    params,
    query: Object.fromEntries(new URLSearchParams(search)),
    headers: key === undefined ? {} : { 'idempotency-key': key },
    ...(body === undefined ? {} : { body }),
  });
};

/** Answers the service's answer, or 202 with the approval that waits for the person. */
export const sendOutcome = (response: Response, outcome: Outcome): void => {
  if (outcome.state === 'done') {
    for (const [name, value] of Object.entries(outcome.headers)) response.setHeader(name, value);
    response.status(outcome.status).json(outcome.answer);
    return;
  }
  const { approvalId: id, summary, expiresAt } = outcome;
  response
    .status(202)
    .location(`/companion/approvals/${id}`)
    .json({ approval: { id, state: 'pending', summary, expiresAt: new Date(expiresAt).toISOString(), pollAfterMs } });
};
