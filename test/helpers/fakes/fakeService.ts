import {
  getRouteByName,
  listing as listingShape,
  parseRouteInput,
  type RawInput,
  type RouteName,
} from '../../../src/contract/index.ts';
import { requiresApproval } from '../../../src/core/approvals/needsApproval.ts';
import { gatherBoundSubject, renderPrompt } from '../../../src/core/approvals/prompts/index.ts';
import type { Reads } from '../../../src/core/approvals/prompts/promptDefinition.ts';
import type { Outcome } from '../../../src/core/base/request.ts';
import type { ApprovalView } from '../../../src/core/storage/tables/approvalRecord.ts';
import { askCore } from './askCore.ts';
import { findListing } from './calls/fakeListingCalls.ts';
import { channelAnswers } from './fakeChannels.ts';
import { insightAnswers } from './fakeInsights.ts';
import { publishQuote } from './fakeApprovals.ts';
import type { Answers, Fake } from './fakeCompanion.ts';
import { createBoundPhotos, createApproval, own } from './fakePrompts.ts';
import { refuseCall } from './fakeRefusal.ts';
import { reviewAnswers } from './fakeReview.ts';

/** A parsed request with its defaults. */
export type Input = {
  params?: Record<string, string>;
  body?: Record<string, unknown>;
  query?: Record<string, string | undefined>;
};
export type RouteAnswers = Record<string, (fake: Fake, input: Input) => unknown>;

const getListing = (fake: Fake, listingId = ''): Record<string, unknown> =>
  findListing(fake, listingId) ?? fake.listings.lst_fox ?? {};

const updateListing = (fake: Fake, { params, body = {} }: Input): unknown => {
  const id = params?.['listingId'] ?? '';
  if (fake.deciding.includes(id))
    return refuseCall('BEING_DECIDED', 'This listing is being decided. Try again in a moment.', { retryAfterS: 1 });
  if (String(body['title']).includes('forbidden'))
    return refuseCall('MARKET_REFUSED', 'The marketplace does not allow the word “forbidden”.', { field: 'title' });
  const next = { ...findListing(fake, id), ...body, ...(body['packageWeightGrams'] ? { publishBlockers: [] } : {}) };
  fake.listings[id] = next;
  const { price, quantity } = listingShape.pick({ price: true, quantity: true }).partial().parse(body);
  fake.rows = fake.rows.map((row) =>
    row.listingId === id ? { ...row, priceCents: price ?? row.priceCents, quantity: quantity ?? row.quantity } : row,
  );
  return next;
};

const answers: RouteAnswers = {
  readListing: (fake, { params }) => getListing(fake, params?.['listingId']),
  readStanding: (fake) => fake.standing,
  updateListing,
  ...insightAnswers,
  ...channelAnswers,
  ...reviewAnswers,
  listCategoryConditions: () => ({
    conditions: [
      { condition: 'NEW', name: 'New' },
      { condition: 'LIKE_NEW', name: 'Like new' },
      { condition: 'USED_GOOD', name: 'Used – good' },
    ],
  }),
};

const isOfListing = ({ params }: Input): boolean => params?.['listingId'] !== undefined;

/** Answers about listings come from the page, which has them; all others come from the practice service. */
const answerRequest = async (fake: Fake, route: RouteName, input: Input = {}): Promise<unknown> => {
  if (fake.refusedOnce.delete(route))
    return refuseCall('SERVICE_UNREACHABLE', 'The service cannot be reached. Nothing was sent.');
  const own = answers[route];
  if (own !== undefined || isOfListing(input)) return own?.(fake, input) ?? {};
  return ((await askCore(fake, 'service.perform', { route, input })) as { answer: unknown }).answer;
};

/** The reads that a prompt is created from. */
const createReads = (fake: Fake): Reads => {
  const answer = (route: RouteName, input?: Input) => answerRequest(fake, route, input);
  const person = { params: { userId: 'usr_1' } };
  return {
    // The service itself refuses a blocked publish.
    listing: async (listingId) =>
      listingShape.parse({ ...getListing(fake, listingId), listingId, publishBlockers: [] }),
    photos: async () => createBoundPhotos('fox', 5),
    fees: async () => ({
      answer: { quote: publishQuote, feeNotice: { confirmedSites: ['MKT_US', 'MKT_DE', 'MKT_GB'] } },
      quotedAt: Date.now() - 60_000,
    }),
    channels: (listingId) => answer('readListingChannels', { params: { listingId } }),
    policies: () => answer('listPolicies'),
    user: () => answer('readUser', person),
    emailPreferences: () => answer('readUserNotificationPreferences', person),
    plain: ((route) => answer(route)) as Reads['plain'],
    ...{ wentLive: () => false, lastRefusal: () => null, confirmedSites: () => [], extras: () => [], now: Date.now },
    category: async () => null,
  };
};

let asked = 0;

/** Creates the approval of a request, with the core's prompt. */
export const requestApproval = async (fake: Fake, route: RouteName, input: Input): Promise<ApprovalView> => {
  const blockers = fake.listings[input.params?.['listingId'] ?? '']?.['publishBlockers'];
  if (route === 'publishListing' && Array.isArray(blockers) && blockers.length > 0)
    refuseCall('MISSING_PACKAGE_WEIGHT', 'Shipping needs the packed weight. Enter it, then publish again.');
  const request = { route, input, account: '', askerId: '', key: '' };
  const { subject, moment } = await gatherBoundSubject(request, 'person', createReads(fake));
  const prompt = renderPrompt(subject, moment);
  return createApproval(`own${(asked += 1)}`, prompt, { ...own, route, body: input.body ?? {} });
};

/** Runs an approved request, except for a listing or a payment: the page has its own listings and standing. */
const runApproved = async (fake: Fake, route: RouteName, input: Input): Promise<void> => {
  if (isOfListing(input) || getRouteByName(route).group === 'Billing and credits') return;
  if (route === 'revokeCurrentKey') fake.state = { ...fake.state, connection: 'none', person: null };
  else await answerRequest(fake, route, input);
  setTimeout(() => ['setup', 'account', 'app'].forEach(fake.changed), 30);
};

const waitForYes = (fake: Fake, input: Input, next: ApprovalView): Outcome => {
  const { approvalId, route, prompt, expiresAt } = next;
  fake.approvals = [...fake.approvals, next];
  fake.state = { ...fake.state, waitingApprovals: fake.approvals.length };
  fake.effects.set(approvalId, () => runApproved(fake, route, input));
  setTimeout(() => ['approvals', 'app'].forEach(fake.changed), 20);
  return { state: 'pending', approvalId, summary: prompt.act, expiresAt };
};

/** Parses an input with its route, including defaults, or refuses it. */
export const parseInput = (route: RouteName, raw: RawInput): Input => {
  const parsed = parseRouteInput(route, raw);
  if (!parsed.ok) return refuseCall('INVALID_INPUT', `${parsed.problem.field}: ${parsed.problem.message}`);
  return parsed.input as Input;
};

/** Answers any request of the screens to the service. */
export const createServicePerform =
  (fake: Fake): Answers['service.perform'] =>
  async ({ route, input }) => {
    const given = parseInput(route, input);
    if (requiresApproval(route, given.body)) return waitForYes(fake, given, await requestApproval(fake, route, given));
    const answer = await answerRequest(fake, route, given);
    return { state: 'done', status: 200, headers: {}, answer, source: 'service', ageMs: 0 };
  };
