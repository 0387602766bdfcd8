import { keptListing } from './calls/fakeListingCalls.ts';
import * as z from 'zod';
import { parseRouteInput, type RawInput, type RouteName } from '../../../src/contract/index.ts';
import type { ApprovalView } from '../../../src/core/storage/tables/approvalRecord.ts';
import { extrasApproval } from './fakeAccount.ts';
import { accountAnswers, accountAsks } from './calls/fakeAccountCalls.ts';
import { endApproval, publishApproval, reviseApproval } from './fakeApprovals.ts';
import type { Answers, Fake } from './fakeCompanion.ts';
import { insightAnswers } from './fakeInsights.ts';
import { channelAnswers, channelAsks } from './fakeChannels.ts';
import { askOffers, reviewAnswers } from './fakeReview.ts';
import { refuse } from './fakeRefusal.ts';
import { sellingAnswers, sellingAsks } from './calls/fakeSellingCalls.ts';
import type { Outcome } from '../../../src/core/base/request.ts';

/** What the fake looks at of a request. */
const looked = z.object({
  params: z.object({ listingId: z.string(), templateId: z.string(), connectionId: z.string() }).partial().optional(),
  body: z.record(z.string(), z.unknown()).optional(),
  query: z.object({ q: z.string(), categoryId: z.string(), from: z.string(), day: z.string() }).partial().optional(),
});
type Input = z.infer<typeof looked>;
type Asks = (fake: Fake, input: Input) => ApprovalView | null;

const own = { by: { kind: 'person' as const }, reason: null };
const plain = (approvalId: string, route: ApprovalView['route'], act: string, yes: string): ApprovalView => {
  const base = publishApproval({ ...own, approvalId, route });
  return {
    ...base,
    prompt: { ...base.prompt, act, consequence: '', target: null, facts: [], money: null, yes, undo: '' },
  };
};

const rateOf = (fake: Fake): number => fake.standing.allowance.extras?.rateCents ?? 0;
const checkRate = (fake: Fake, given: unknown): void => {
  const rate = rateOf(fake);
  if (given !== rate)
    refuse('RATE_CHANGED', `An extra listing costs US$${(rate / 100).toFixed(2)} now. Ask again with that rate.`);
};

let asked = 0;

/** Routes that ask, and the question of each. */
const asks: Record<string, Asks> = {
  publishListing: (fake, { params }) => {
    const blockers = fake.listings[params?.listingId ?? '']?.publishBlockers;
    if (Array.isArray(blockers) && blockers.length > 0)
      refuse('MISSING_PACKAGE_WEIGHT', 'Shipping needs the packed weight. Enter it, then publish again.');
    return publishApproval({ ...own, approvalId: `apr_own${(asked += 1)}` });
  },
  endListing: () => endApproval({ ...own, approvalId: 'apr_end' }),
  deleteListing: () => endApproval({ ...own, approvalId: 'apr_end', route: 'deleteListing' }),
  reviseListing: () => reviseApproval({ ...own, approvalId: 'apr_revise' }),
  ...sellingAsks,
  ...channelAsks,
  ...accountAsks,
  createCheckoutToken: () =>
    plain('apr_plan', 'createCheckoutToken', 'Open the checkout for a plan', 'Get the checkout page'),
  createPortal: () => plain('apr_portal', 'createPortal', 'Open the billing pages', 'Get the link'),
  setExtras: (fake, { body }) => {
    if (body?.enabled) checkRate(fake, body.acknowledgedRateCents);
    return plain('apr_extras', 'setExtras', `Turn extra listings ${body?.enabled ? 'on' : 'off'}`, 'Change extras');
  },
  approveExtras: (fake, { body }) => {
    if (!fake.standing.allowance.extras?.enabled) refuse('EXTRAS_OFF', 'Extra listings are off.');
    checkRate(fake, body?.rateCents);
    return extrasApproval({ ...own, approvalId: 'apr_aside' }, Number(body?.count));
  },
};

const pricedRow = z.object({ price: z.number().optional(), quantity: z.number().optional() });

const updateListing = (fake: Fake, { params, body }: Input): unknown => {
  const id = params?.listingId ?? '';
  if (fake.deciding.includes(id))
    refuse('BEING_DECIDED', 'This listing is being decided. Try again in a moment.', { retryAfterS: 1 });
  if (typeof body?.title === 'string' && body.title.includes('forbidden'))
    refuse('MARKET_REFUSED', 'The marketplace does not allow the word “forbidden”.', { field: 'title' });
  const next: Record<string, unknown> = { ...keptListing(fake, id), ...body };
  if (body?.packageWeightGrams) next.publishBlockers = [];
  fake.listings[id] = next;
  const { price, quantity } = pricedRow.parse(body ?? {});
  fake.rows = fake.rows.map((row) =>
    row.listingId === id ? { ...row, priceCents: price ?? row.priceCents, quantity: quantity ?? row.quantity } : row,
  );
  return next;
};

const answers: Record<string, (fake: Fake, input: Input) => unknown> = {
  readListing: (fake, { params }) => keptListing(fake, params?.listingId ?? '') ?? fake.listings.lst_fox,
  readStanding: (fake) => fake.standing,
  updateListing,
  ...insightAnswers,
  ...accountAnswers,
  ...sellingAnswers,
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

const waiting = (fake: Fake, next: ApprovalView): Outcome => {
  fake.approvals = [...fake.approvals.filter(({ approvalId }) => approvalId !== next.approvalId), next];
  fake.state = { ...fake.state, waitingApprovals: fake.approvals.length };
  setTimeout(() => ['approvals', 'app'].forEach(fake.changed), 20);
  return { state: 'pending', approvalId: next.approvalId, summary: next.prompt.act, expiresAt: next.expiresAt };
};

/** The input as the core has it: parsed by the route, with its defaults, or refused. */
const parsedInput = (route: RouteName, raw: RawInput): Input => {
  const parsed = parseRouteInput(route, raw);
  if (!parsed.ok) return refuse('INVALID_INPUT', `${parsed.problem.field}: ${parsed.problem.message}`);
  return looked.parse(parsed.input);
};

/** Any request to the service, for the routes that the screens use. */
export const servicePerform =
  (fake: Fake): Answers['service.perform'] =>
  ({ route, input }) => {
    const given = parsedInput(route, input);
    const ask = route === 'updateListing' && given.body?.bestOffer ? askOffers : asks[route];
    const question = ask?.(fake, given) ?? null;
    if (question) return waiting(fake, question);
    return {
      state: 'done',
      status: 200,
      headers: {},
      answer: answers[route]?.(fake, given) ?? {},
      source: 'service',
      ageMs: 0,
    };
  };
