import { type RouteName, matchRoute, parseInput, routeOf, type InputProblem } from '../../contract/index.ts';
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
import { asksMarket, spendBudget } from '../world/budgets.ts';
import { limitRate, requireMarket } from '../world/disruptions.ts';
import { endDueAuctions } from '../world/listings/changes.ts';
import { countCall } from '../world/journal.ts';
import { authenticateKey } from '../world/keys.ts';
import { findPerson } from '../world/people.ts';
import type { World } from '../world/world.ts';
import { readBody, type Reply } from './http.ts';

/** The implementation of every route. A route without an answer does not compile. */
const answers = {
  ...accountAnswers,
  ...listingAnswers,
  ...marketAnswers,
  ...insightAnswers,
  ...billingAnswers,
  ...channelAnswers,
  ...agentAnswers,
} satisfies Answers<RouteName>;

/** The refusal that the interface sends for revoked keys and for routes that assistants may not call. */
export const forbidden: Reply = { status: 403, headers: {}, body: { message: 'Forbidden' } };

const unauthorised = (): Refusal =>
  new Refusal(401, 'Send the key of the assistant as a bearer token.', { headers: { 'www-authenticate': 'Bearer' } });

const bearerOf = (header: string | undefined): string | null => /^Bearer +(\S+) *$/i.exec(header ?? '')?.[1] ?? null;

/** Returns the caller of a request: null without a key, 'dead' for a key that does not work. */
const callerOf = (world: World, header: string | undefined): Caller | 'dead' | null => {
  const sent = bearerOf(header);
  if (sent === null) return null;
  const key = authenticateKey(world, sent);
  const person = key && findPerson(world, key.userId);
  if (!key || !person) return 'dead';
  endDueAuctions(world, person.userId);
  return { key, person: billDueMonths(world, person) };
};

/** The error codes that the interface defines for invalid input. */
const problemCode = (name: RouteName, { field }: InputProblem): string | undefined => {
  if (name === 'createListing' && field === 'idempotency-key') return 'INVALID_IDEMPOTENCY_KEY';
  if (name === 'generateListing' && field === 'extrasApprovalId') return 'BAD_EXTRAS_APPROVAL';
  if (name === 'verifySignIn' && field === 'code') return 'INVALID_CODE';
  if (name === 'setExtras') return 'invalid-overage-request';
  return name === 'approveExtras' ? 'INVALID_REQUEST' : undefined;
};

const invalid = (name: RouteName, problem: InputProblem): Refusal => {
  const code = problemCode(name, problem);
  return new Refusal(400, `${problem.field}: ${problem.message}`, code === undefined ? {} : { code });
};

/** Turning extras off always works, so it does not spend a budget. */
const alwaysWorks = (name: RouteName, input: unknown): boolean =>
  name === 'setExtras' && turnsOff.safeParse(input).success;
const turnsOff = z.object({ body: z.object({ enabled: z.literal(false) }) });

const answerRoute = async (
  world: World,
  { name, params }: { name: RouteName; params: Record<string, string> },
  caller: Caller | null,
  request: Request,
): Promise<Reply> => {
  const body = await readBody(request);
  const parsed = parseInput(name, { params, query: request.query, headers: request.headers, body });
  if (!parsed.ok) throw invalid(name, parsed.problem);
  const route = routeOf(name);
  if (route.quota && caller && !alwaysWorks(name, parsed.input)) spendBudget(world, caller.person.userId, route.quota);
  // A quote reports an unreachable marketplace in its own answer.
  if (route.quota && asksMarket(route.quota) && route.quota !== 'fee_verify') requireMarket(world);
  // Each answer is typed against its own route where it is defined; this call cannot express that relation.
  const answer: (call: never) => AnswerResult<RouteName> | Promise<AnswerResult<RouteName>> = answers[name];
  const call = { world, input: parsed.input, accept: request.headers.accept ?? '', caller, ...caller };
  const result = await answer(call as never);
  return { status: result.status ?? route.status ?? 200, headers: result.headers ?? {}, body: result.body };
};

const counted = async (world: World, name: RouteName, userId: string, work: () => Promise<Reply>): Promise<Reply> => {
  try {
    const reply = await work();
    countCall(world, name, userId, true);
    return reply;
  } catch (error) {
    countCall(world, name, userId, false);
    throw error;
  }
};

/** Performs one call of the interface. Throws a Refusal if it is refused. */
export const callRoute = async (world: World, request: Request): Promise<Reply> => {
  const match = matchRoute(request.method, request.path);
  if (match.kind === 'unknown') throw new Refusal(404, 'There is no such route.');
  if (match.kind === 'method')
    throw new Refusal(405, `This route is called with ${match.allowed.join(' or ')}.`, {
      headers: { allow: match.allowed.join(', ') },
    });
  const caller = callerOf(world, request.headers.authorization);
  if (match.kind === 'refused') {
    if (caller === null) throw unauthorised();
    return forbidden;
  }
  const { name, params } = match;
  if (routeOf(name).access === 'public_info') {
    const known = caller === 'dead' ? null : caller;
    return counted(world, name, known?.person.userId ?? '', () => answerRoute(world, { name, params }, known, request));
  }
  if (caller === null) throw unauthorised();
  if (caller === 'dead') return forbidden;
  return counted(world, name, caller.person.userId, async () => {
    limitRate(world, caller.key.keyId);
    return answerRoute(world, { name, params }, caller, request);
  });
};
