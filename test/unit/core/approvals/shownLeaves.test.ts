import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  listing as listingShape,
  parseRouteInput,
  buildRoutePath,
  getRouteByName,
  type RouteName,
} from '../../../../src/contract/index.ts';
import { renderPrompt, gatherBoundSubject, promptedRoutes } from '../../../../src/core/approvals/prompts/index.ts';
import type { Reads } from '../../../../src/core/approvals/prompts/promptDefinition.ts';
import { toCanonicalJson } from '../../../../src/core/base/json.ts';
import { Problem } from '../../../../src/core/base/problem.ts';
import {
  getApprovalRuns,
  createOddListing,
  createOddRecord,
  getTimeLimit,
} from '../../../helpers/approvals/oddBodies.ts';
import {
  findMistakable,
  findUnshownAddress,
  findUnshown,
  findMissingFacts,
} from '../../../helpers/approvals/shownLeaves.ts';
import { subjectShape } from '../../../../src/core/storage/tables/approvalRecord.ts';

type Json = Record<string, unknown>;
const rateCents = 60;
/** The fields that a route requires; without these fields, a body is refused before a prompt exists. */
const wanted: Partial<Record<RouteName, Json>> = {
  quoteFees: { action: 'confirm' },
  updateUser: { autoDelistDefault: true },
  createCheckoutToken: { tier: 'pro' },
  sendContact: { message: 'Hello, write to me@example.com' },
  setExtras: { enabled: true, acknowledgedRateCents: rateCents },
  approveExtras: { count: 2, rateCents },
  generateListing: { intent: 'initial' },
};
const params = { listingId: 'lst_1', templateId: 't_1', channelId: 'corner', connectionId: 'c_1', userId: 'u_1' };

const statusFor = (route: RouteName): string => {
  if (/^(end|revise)/.test(route)) return 'published';
  return route === 'generateListing' ? 'draft' : 'pending_review';
};

/** A service with random responses, parsed in the same way as by the client. */
const readsOf = (listing: Json, record: Json, sha256: string[]): Reads => ({
  listing: async () => listingShape.parse(JSON.parse(JSON.stringify(listing))),
  photos: async () => sha256.map((one) => ({ sha256: one, contentType: 'image/jpeg' })),
  confirmedSites: () => [],
  fees: async () => ({
    answer: {
      quote: { state: 'fee', currency: 'USD', totalMinor: 35, lines: [{ name: 'Price', amountMinor: 35 }] },
      feeNotice: { confirmedSites: ['MKT_US'] },
    },
    quotedAt: 1,
  }),
  policies: async () => ({ policies: [{ ...record, policyId: 'p_1', marketplaceId: 'MKT_US', kind: 'Price' }] }),
  channels: async () => ({ channels: [{ ...record, channelId: 'corner', status: 'published' }] }),
  lastRefusal: () => ({ code: 'Price', sentence: 'Price' }),
  user: async () => record,
  emailPreferences: async () => record,
  plain: (async (route: RouteName) =>
    route === 'readStanding'
      ? {
          allowance: {
            remaining: 1,
            creditBalance: 0,
            nextListing: { kind: 'extra' },
            extras: { available: true, enabled: true, rateCents },
          },
        }
      : {
          ...record,
          templates: [{ ...record, templateId: 't_1', name: 'Books' }],
          channels: [{ ...record, channelId: 'corner', name: 'Corner' }],
          accounts: [{ ...record, marketAccountId: 'm_1', name: 'Seller' }],
        }) as Reads['plain'],
  extras: () => [{ extrasApprovalId: 'xa_0123456789ab', asker: 'Price', left: 1 }],
  category: async () => ({ categories: [] }),
  wentLive: () => false,
  now: () => 1,
});

const names = { t_1: '“Books”', corner: '“Corner”', m_1: '“Seller”', market: 'Marketplace', lst_1: 'this listing' };

const given = fc.constantFrom(...promptedRoutes).chain((route) =>
  fc.record({
    route: fc.constant(route as RouteName),
    body: createOddRecord().map((body): Json =>
      Object.fromEntries([...Object.entries(body), ...Object.entries(wanted[route] ?? {})]),
    ),
    listing: createOddListing(statusFor(route)),
    record: createOddRecord(4),
    photos: fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 3 }),
  }),
);

test(
  'every approval prompt shows each value that is sent or bound to the approval',
  async () => {
    let drawn = 0;
    const runs = getApprovalRuns(1_500);
    await fc.assert(
      fc.asyncProperty(given, async ({ route, body, listing, record, photos }) => {
        const parsed = parseRouteInput(route, {
          params,
          query: { also: 'this' },
          body: JSON.parse(JSON.stringify(body)) as unknown,
        });
        if (!parsed.ok) return;
        const asked = { route, input: parsed.input, account: 'a', askerId: 'person', key: 'k' };
        const read = await gatherBoundSubject(asked, 'assistant', readsOf(listing, record, photos)).catch(
          (error: unknown) => {
            if (error instanceof Problem) return null;
            throw error;
          },
        );
        if (read === null) return;
        // The subject as read from the database, then the body as sent to the service.
        const subject = subjectShape.parse(JSON.parse(toCanonicalJson(read.subject)));
        if (subject.version !== 2) throw new Error('Not of this version.');
        const prompt = renderPrompt(subject, read.moment);
        const input = subject.request.input as { params?: Record<string, string>; query?: Json; body?: unknown };
        const sent: unknown = input.body === undefined ? undefined : JSON.parse(JSON.stringify(input.body));
        expect(findUnshown(sent, prompt, names)).toEqual([]);
        expect(findMissingFacts(subject.listing, prompt, names)).toEqual([]);
        expect(findMistakable(prompt)).toEqual([]);
        const address = buildRoutePath(getRouteByName(route).path, input.params, input.query);
        const isInAddress = ([, value]: [string, unknown]): boolean =>
          address.includes(encodeURIComponent(String(value)));
        // The listing id in the path belongs to the listing that the prompt shows.
        const path = Object.entries(input.params ?? {}).filter(
          (one) => isInAddress(one) && !(subject.listing !== null && one[0] === 'listingId'),
        );
        const query = Object.entries(input.query ?? {}).filter(isInAddress);
        expect(findUnshownAddress('path', Object.fromEntries(path), prompt, names)).toEqual([]);
        expect(findUnshownAddress('query', Object.fromEntries(query), prompt, names)).toEqual([]);
        drawn += 1;
      }),
      { numRuns: runs, seed: 20_261 },
    );
    // The test proves nothing unless enough runs create a prompt.
    expect(drawn).toBeGreaterThan(runs / 4);
  },
  getTimeLimit(getApprovalRuns(1_500), 20),
);
