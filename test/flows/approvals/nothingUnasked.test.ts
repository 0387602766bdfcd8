import fc from 'fast-check';
import { afterEach, expect, test } from 'vitest';
import * as z from 'zod';
import { routeNames, getRouteByName, type RouteName } from '../../../src/contract/index.ts';
import { pairAsker } from '../../helpers/assistant.ts';
import { setUpSelling } from '../../helpers/practice/channels.ts';
import { startWorld, type World } from '../../helpers/world.ts';
import type { Asker, Outcome, PerformRequest } from '../../../src/core/base/request.ts';

let world: World;
afterEach(() => world.close());

const calls = z.record(z.string(), z.looseObject({ calls: z.int() }));
/** Returns the number of requests sent for a route; for fees only confirmations, because prompts read quotes. */
const countSent = async (route: RouteName): Promise<number> => {
  if (route === 'quoteFees') return countConfirmations();
  return calls.parse(await world.practice.control('GET', '/calls'))[route]?.calls ?? 0;
};
const countConfirmations = (): Promise<number> => world.happened('fee_confirmed');

/** Returns the person and four paired assistants. */
const listAskers = (): Asker[] => [
  { kind: 'person' },
  ...['One', 'Two', 'Three', 'Four'].map((name) => pairAsker(world, name)),
];

/** A request body with or without the fields that require an approval. */
const body = fc.record(
  {
    bestOffer: fc.constantFrom({ enabled: true }, { enabled: false, autoAcceptCents: 1 }),
    autoDelistDefault: fc.boolean(),
    action: fc.constantFrom('quote', 'confirm'),
    marketplaceId: fc.constant('MKT_US'),
    enabled: fc.constant(false),
    count: fc.constant(1),
    rateCents: fc.integer({ min: 0, max: 200 }),
    price: fc.constantFrom(1_000, 2_000),
    tier: fc.constant('pro'),
    message: fc.constant('Hello, write to me@example.com'),
    confirmed: fc.constant(true),
    approved: fc.constant('by the person'),
  },
  { requiredKeys: [] },
);

type Ids = Record<'listingId' | 'userId' | 'templateId' | 'connectionId', string>;

const createRequest = (askers: Asker[], ids: Ids) =>
  fc.constantFrom(...routeNames.filter((name) => name !== 'revokeCurrentKey')).chain((name) =>
    fc.record({
      route: fc.constant(name),
      by: fc.constantFrom(...askers),
      input: fc.record({
        params: fc.constant({ ...ids, notifId: 'n_1', channelId: 'corner' }),
        body,
      }),
      answer: fc.constantFrom('no', 'yes', 'wrong digest', 'nothing'),
    }),
  );

/** Returns whether the interface requires an approval for this request; independent of the code under test. */
const needsApproval = (route: RouteName, body: Record<string, unknown>): boolean =>
  getRouteByName(route).askFirst === true ||
  (route === 'updateListing' && 'bestOffer' in body) ||
  (route === 'updateUser' && 'autoDelistDefault' in body) ||
  (route === 'quoteFees' && body['action'] === 'confirm');

type Perform = (asked: PerformRequest) => Promise<Outcome>;
type Tally = { asked: number; sent: number };

/** Performs 1,000 random requests and answers their prompts at random; throws if one is sent unapproved. */
const performAll = async (perform: Perform): Promise<Tally> => {
  const key = (await world.secrets.get('agent-key practice')) ?? '';
  const who = await world.perform('readAccount', {});
  const { userId } = z.looseObject({ userId: z.string() }).parse(who.state === 'done' ? who.answer : {});
  const listings = [
    await world.practice.written(key),
    await world.practice.written(key),
    await world.practice.draft(key, 1),
  ];
  const made = await setUpSelling(world.practice, key);
  const tally = { asked: 0, sent: 0 };
  const askers = listAskers();
  const requests = fc
    .constantFrom(...listings)
    .chain((listingId) => createRequest(askers, { listingId, userId, ...made }));
  await fc.assert(
    fc.asyncProperty(requests, (given) => performOne(perform, given, tally)),
    { numRuns: 1_000, seed: 20_261 },
  );
  return tally;
};

type RandomRequest = {
  route: RouteName;
  by: Asker;
  input: { params: Record<string, string>; body: Record<string, unknown> };
  answer: string;
};

const performOne = async (
  perform: Perform,
  { route, by, input, answer }: RandomRequest,
  tally: Tally,
): Promise<void> => {
  const approvals = world.companion().approvals;
  const before = await countSent(route);
  const outcome = await perform({ by, route, input }).catch(() => null);
  if (!needsApproval(route, input.body)) return;
  expect(await countSent(route), `${route} before a yes`).toBe(before);
  if (outcome?.state !== 'pending') return;
  tally.asked += 1;
  const { approvalId, digest } = approvals.readView(outcome.approvalId);
  if (answer === 'wrong digest') await expect(world.pressYes(approvalId, 'f'.repeat(64))).rejects.toThrow();
  if (answer === 'no') approvals.decline(approvalId, digest, 'no');
  if (answer === 'nothing') approvals.withdraw(approvalId);
  if (answer !== 'yes') {
    expect(await countSent(route), `${route} after ${answer}`).toBe(before);
    return;
  }
  const decided = await world.approve({ approvalId, digest });
  await world.pressYes(approvalId, digest);
  if (decided.state !== 'done' && decided.state !== 'failed') return;
  tally.sent += 1;
  expect(await countSent(route), `${route} after a yes`).toBe(before + 1);
};

test('an ask-first request is sent only after an approval, and only once', async () => {
  // Only a person without a paid plan can be asked about a checkout.
  world = await startWorld({ person: { plan: 'Free' } });
  const { asked, sent } = await performAll((given) => world.companion().perform(given));
  // Enough requests were asked and sent to make the test meaningful.
  expect(asked).toBeGreaterThan(40);
  expect(sent).toBeGreaterThan(8);
}, 120_000);

test('the property test detects a request that is sent without an approval', async () => {
  world = await startWorld();
  const key = (await world.secrets.get('agent-key practice')) ?? '';
  const performForgetfully: Perform = async (given) => {
    if (given.route !== 'updateSellerDefaults') return world.companion().perform(given);
    const { status, headers, body } = await world.practice.call(key, 'POST', '/market/seller-defaults', {});
    return { state: 'done', status, headers, answer: body, source: 'service', ageMs: 0 };
  };
  const seen = await performAll(performForgetfully).catch((error: unknown) => error);
  expect(seen).toMatchObject({
    cause: { message: expect.stringContaining('updateSellerDefaults before a yes') as string },
  });
}, 120_000);
