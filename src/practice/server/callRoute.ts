import {
  type RouteName,
  matchRouteByPath,
  parseRouteInput,
  getRouteByName,
  type InputProblem,
} from '../../contract/index.ts';
import { accountAnswers } from '../answers/account.ts';
import { agentAnswers } from '../answers/agent.ts';
import type { Answers, AnswerResult, Caller } from '../answers/answer.ts';
import { billingAnswers } from '../answers/billing.ts';
import { channelAnswers } from '../answers/channels.ts';
import { insightAnswers } from '../answers/insights.ts';
import { listingAnswers } from '../answers/listings.ts';
import { marketAnswers } from '../answers/market.ts';
import type { Request } from 'express';
import * as z from 'zod';
import { Refusal } from '../refusal.ts';
import { billDueMonths } from '../world/billing.ts';
import { isMarketQuota, spendDailyBudget } from '../world/budgets.ts';
import { countCallAgainstRateLimit, requireReachableMarket } from '../world/disruptions.ts';
import { endDueAuctions } from '../world/listings/changes.ts';
import { countRouteCall } from '../world/journal.ts';
import { authenticateApiKey } from '../world/keys.ts';
import { findPersonById } from '../world/people.ts';
import type { World } from '../world/world.ts';
import { readJsonBody, type Reply } from './http.ts';

const answers = {
  ...accountAnswers,
  ...listingAnswers,
  ...marketAnswers,
  ...insightAnswers,
  ...billingAnswers,
  ...channelAnswers,
  ...agentAnswers,
} satisfies Answers<RouteName>;

/** The interface requires this reply to a revoked key, and to a call of a route that assistants may not use. */
export const forbiddenReply: Reply = { status: 403, headers: {}, body: { message: 'Forbidden' } };

const createUnauthorisedRefusal = (): Refusal =>
  new Refusal(401, 'Send the key of the assistant as a bearer token.', { headers: { 'www-authenticate': 'Bearer' } });

const parseBearerToken = (header: string | undefined): string | null =>
  /^Bearer +(\S+) *$/i.exec(header ?? '')?.[1] ?? null;

/** Returns null if the request has no key, and 'dead' if the key is invalid. */
const authenticateCaller = (world: World, header: string | undefined): Caller | 'dead' | null => {
  const sent = parseBearerToken(header);
  if (sent === null) return null;
  const key = authenticateApiKey(world, sent);
  const person = key && findPersonById(world, key.userId);
  if (!key || !person) return 'dead';
  endDueAuctions(world, person.userId);
  return { key, person: billDueMonths(world, person) };
};

const findInputErrorCode = (name: RouteName, { field }: InputProblem): string | undefined => {
  if (name === 'createListing' && field === 'idempotency-key') return 'INVALID_IDEMPOTENCY_KEY';
  if (name === 'generateListing' && field === 'extrasApprovalId') return 'BAD_EXTRAS_APPROVAL';
  if (name === 'verifySignIn' && field === 'code') return 'INVALID_CODE';
  if (name === 'setExtras') return 'invalid-overage-request';
  return name === 'approveExtras' ? 'INVALID_REQUEST' : undefined;
};

const createInputRefusal = (name: RouteName, problem: InputProblem): Refusal => {
  const code = findInputErrorCode(name, problem);
  return new Refusal(400, `${problem.field}: ${problem.message}`, code === undefined ? {} : { code });
};

/** A call that turns extras off spends no budget, so that a used-up budget never prevents it. */
const isTurningExtrasOff = (name: RouteName, input: unknown): boolean =>
  name === 'setExtras' && turnOffInput.safeParse(input).success;
const turnOffInput = z.object({ body: z.object({ enabled: z.literal(false) }) });

const runRouteAnswer = async (
  world: World,
  { name, params }: { name: RouteName; params: Record<string, string> },
  caller: Caller | null,
  request: Request,
): Promise<Reply> => {
  const body = await readJsonBody(request);
  const parsed = parseRouteInput(name, { params, query: request.query, headers: request.headers, body });
  if (!parsed.ok) throw createInputRefusal(name, parsed.problem);
  const route = getRouteByName(name);
  if (route.quota && caller && !isTurningExtrasOff(name, parsed.input))
    spendDailyBudget(world, caller.person.userId, route.quota);
  // A fee quote is not refused here, because its answer reports that the marketplace is unreachable.
  if (route.quota && isMarketQuota(route.quota) && route.quota !== 'fee_verify') requireReachableMarket(world);
  // Each answer has the type of its route, but a lookup by name loses that type.
  const answer: (call: never) => AnswerResult<RouteName> | Promise<AnswerResult<RouteName>> = answers[name];
  const call = { world, input: parsed.input, accept: request.headers.accept ?? '', caller, ...caller };
  const result = await answer(call as never);
  return { status: result.status ?? route.status ?? 200, headers: result.headers ?? {}, body: result.body };
};

const runCountedCall = async (
  world: World,
  name: RouteName,
  userId: string,
  work: () => Promise<Reply>,
): Promise<Reply> => {
  try {
    const reply = await work();
    countRouteCall(world, name, userId, true);
    return reply;
  } catch (error) {
    countRouteCall(world, name, userId, false);
    throw error;
  }
};

/** Answers one call of the interface. Throws a `Refusal` if the call is refused. */
export const handleRouteCall = async (world: World, request: Request): Promise<Reply> => {
  const match = matchRouteByPath(request.method, request.path);
  if (match.kind === 'unknown') throw new Refusal(404, 'There is no such route.');
  if (match.kind === 'method')
    throw new Refusal(405, `This route is called with ${match.allowed.join(' or ')}.`, {
      headers: { allow: match.allowed.join(', ') },
    });
  const caller = authenticateCaller(world, request.headers.authorization);
  if (match.kind === 'refused') {
    if (caller === null) throw createUnauthorisedRefusal();
    return forbiddenReply;
  }
  const { name, params } = match;
  if (getRouteByName(name).access === 'public_info') {
    const known = caller === 'dead' ? null : caller;
    return runCountedCall(world, name, known?.person.userId ?? '', () =>
      runRouteAnswer(world, { name, params }, known, request),
    );
  }
  if (caller === null) throw createUnauthorisedRefusal();
  if (caller === 'dead') return forbiddenReply;
  return runCountedCall(world, name, caller.person.userId, async () => {
    countCallAgainstRateLimit(world, caller.key.keyId);
    return runRouteAnswer(world, { name, params }, caller, request);
  });
};
