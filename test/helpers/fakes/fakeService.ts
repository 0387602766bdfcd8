import * as z from 'zod';
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
import { findListing, keepListing } from './calls/fakeListingCalls.ts';
import { publishQuote } from './fakeApprovals.ts';
import type { Answers, Fake } from './fakeCompanion.ts';
import { createBoundPhotos, createApproval, own } from './fakePrompts.ts';
import { refuseCall } from './fakeRefusal.ts';
import type { PageListing } from './practiceCalls.ts';

/** A parsed request with its defaults. */
export type Input = {
  params?: Record<string, string>;
  body?: Record<string, unknown>;
  query?: Record<string, string | undefined>;
};

const getListing = (fake: Fake, listingId: string): PageListing => ({
  ...(findListing(fake, listingId) ?? fake.listings.lst_fox),
  listingId,
});

/** Generates a listing for another site: it stays in work until the test ends that, and then has another text. */
const adaptListing = (fake: Fake, { params, body }: Input): unknown => {
  const id = params?.['listingId'] ?? '';
  const before = fake.listings[id];
  const item = fake.items.find(({ listingId }) => listingId === id);
  fake.listings[id] = { ...before, status: 'processing' };
  if (item) Object.assign(item, { step: 'writing' });
  fake.endWriting = () => {
    const marketplaceId = body?.['targetMarketplaceId'];
    fake.listings[id] = { ...before, marketplaceId, currency: 'EUR', title: 'Roter Fuchs aus Keramik, handbemalt' };
    if (item) Object.assign(item, { step: 'review' });
    for (const topic of ['items', 'listings']) fake.changed(topic);
  };
  fake.changed('items');
  return {};
};

/** Answers that the practice service cannot give: it has no standing of the scenario, one account and no writer here. */
const answers: Record<string, (fake: Fake, input: Input) => unknown> = {
  readListing: (fake, { params }) => getListing(fake, params?.['listingId'] ?? ''),
  readStanding: (fake) => fake.standing,
  generateListing: adaptListing,
  listMarketAccounts: () => ({
    accounts: [
      { marketAccountId: 'mac_1', name: 'robins-attic' },
      { marketAccountId: 'mac_2', name: 'robins-shoes' },
    ],
  }),
};

const served = z.object({ answer: z.unknown(), changes: z.record(z.string(), z.unknown()) });

/** Lets the practice service answer, and keeps what this has changed in the listing. */
const askPractice = async (fake: Fake, route: RouteName, input: Input): Promise<unknown> => {
  const listingId = input.params?.['listingId'];
  const listing = listingId === undefined ? null : getListing(fake, listingId);
  const { answer, changes } = served.parse(await askCore(fake, 'service.perform', { route, input }, listing));
  if (route === 'createListing') keepListing(fake, listingShape.parse(answer));
  if (listing === null || Object.keys(changes).length === 0) return answer;
  keepListing(fake, { ...listing, ...changes });
  if ('status' in changes) fake.changed('listings');
  return route === 'updateListing' ? getListing(fake, listing.listingId) : answer;
};

const answerRequest = async (fake: Fake, route: RouteName, input: Input = {}): Promise<unknown> => {
  if (fake.refusedOnce.delete(route))
    return refuseCall('SERVICE_UNREACHABLE', 'The service cannot be reached. Nothing was sent.');
  if (route === 'updateListing' && fake.deciding.includes(input.params?.['listingId'] ?? ''))
    return refuseCall('BEING_DECIDED', 'This listing is being decided. Try again in a moment.', { retryAfterS: 1 });
  const own = answers[route];
  return own ? own(fake, input) : askPractice(fake, route, input);
};

/** The reads that a prompt is created from. */
const createReads = (fake: Fake): Reads => {
  const answer = (route: RouteName, input?: Input) => answerRequest(fake, route, input);
  const person = { params: { userId: 'usr_1' } };
  return {
    // The service itself refuses a blocked publish.
    listing: async (listingId) => listingShape.parse({ ...getListing(fake, listingId), publishBlockers: [] }),
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
  if (input.params?.['listingId'] !== undefined || getRouteByName(route).group === 'Billing and credits') return;
  if (route === 'revokeCurrentKey') fake.state = { ...fake.state, connection: 'none', person: null };
  else await answerRequest(fake, route, input);
  setTimeout(() => ['setup', 'account', 'app'].forEach(fake.changed), 30);
};

/** The core removes the item whose quantity an approved request has added to a listing. */
const removeAddedItem = (fake: Fake, addedItemId: string | undefined): void => {
  if (addedItemId === undefined) return;
  fake.items = fake.items.filter(({ itemId }) => itemId !== addedItemId);
  fake.changed('items');
};

type WaitingRequest = { input: Input; addedItemId: string | undefined };

const waitForYes = (fake: Fake, { input, addedItemId }: WaitingRequest, next: ApprovalView): Outcome => {
  const { approvalId, route, prompt, expiresAt } = next;
  fake.approvals = [...fake.approvals, next];
  fake.state = { ...fake.state, waitingApprovals: fake.approvals.length };
  fake.effects.set(approvalId, async () => {
    await runApproved(fake, route, input);
    removeAddedItem(fake, addedItemId);
  });
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
  async ({ route, input, addedItemId }) => {
    const given = parseInput(route, input);
    if (requiresApproval(route, given.body))
      return waitForYes(fake, { input: given, addedItemId }, await requestApproval(fake, route, given));
    const answer = await answerRequest(fake, route, given);
    return { state: 'done', status: 200, headers: {}, answer, source: 'service', ageMs: 0 };
  };
