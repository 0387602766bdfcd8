import fc from 'fast-check';
import { afterEach, expect, test } from 'vitest';
import * as z from 'zod';
import { getRouteByName, type RawInput, type RouteName } from '../../../src/contract/index.ts';
import { promptedRoutes } from '../../../src/core/approvals/prompts/index.ts';
import { Problem } from '../../../src/core/base/problem.ts';
import { readServiceKey } from '../../helpers/approvals/decisions.ts';
import { getApprovalRuns, createOddRecord, getTimeLimit } from '../../helpers/approvals/oddBodies.ts';
import { setUpSelling } from '../../helpers/practice/channels.ts';
import type { PersonOptions } from '../../helpers/practice.ts';
import { startRecordingProxy } from '../../helpers/hosts/recordingProxy.ts';
import { findMistakable, findUnshown } from '../../helpers/approvals/shownLeaves.ts';
import { startWorld, type World } from '../../helpers/world.ts';

let world: World;
let proxy: Awaited<ReturnType<typeof startRecordingProxy>> | null = null;
afterEach(async () => {
  await world.close();
  await proxy?.close();
  proxy = null;
});

const allRuns = getApprovalRuns(90);

/** Returns the fields that a route requires, so that the body is not refused before the prompt. */
const listRequiredFields = (rateCents: number | null): Partial<Record<RouteName, Record<string, unknown>>> => ({
  updateListing: { bestOffer: { enabled: true } },
  quoteFees: { action: 'confirm', marketplaceId: 'MKT_US' },
  updateUser: { autoDelistDefault: true },
  updatePushPreferences: { security: false },
  updateUserNotificationPreferences: { security: false },
  createCheckoutToken: { tier: 'pro' },
  sendContact: { message: 'Hello, write to me@example.com' },
  setExtras: { enabled: true, acknowledgedRateCents: rateCents },
  approveExtras: { count: 1, rateCents },
});

const account = z.looseObject({ userId: z.string() });
const standing = z.object({ allowance: z.object({ extras: z.object({ rateCents: z.int().nullable() }) }) });
const readAnswer = async (route: 'readAccount' | 'readStanding'): Promise<unknown> => {
  const outcome = await world.perform(route, {});
  return outcome.state === 'done' ? outcome.answer : null;
};

/** Starts with a listing in review, a live listing, and a recording proxy before the service. */
const startScene = async (person: PersonOptions) => {
  world = await startWorld({ person, reach: () => proxy?.url ?? null });
  const { userId } = account.parse(await readAnswer('readAccount'));
  const { rateCents } = standing.parse(await readAnswer('readStanding')).allowance.extras;
  const key = await readServiceKey(world);
  const [inReview, live] = [await world.practice.written(key), await world.practice.live(key)];
  const made = await setUpSelling(world.practice, key);
  const recording = await startRecordingProxy(world.practice.url);
  proxy = recording;
  const getParams = (route: RouteName) => ({
    listingId: /^(end|revise)/.test(route) ? live : inReview,
    ...made,
    channelId: 'corner',
    userId,
  });
  return { recording, params: getParams, wanted: listRequiredFields(rateCents) };
};

/** Sends the request and returns its approval, or null if the request is refused. */
const requestShown = async (route: RouteName, input: RawInput) => {
  const { perform, approvals } = world.companion();
  const asked = await perform({ by: { kind: 'person' }, route, input }).catch((error: unknown) => {
    if (error instanceof Problem) return null;
    throw error;
  });
  return asked?.state === 'pending' ? approvals.readView(asked.approvalId) : null;
};

/** A checkout needs a person without a paid plan. */
const checkouts: readonly RouteName[] = ['createCheckoutToken', 'createCheckout'];
const others = promptedRoutes.filter((route) => route !== 'generateListing' && !checkouts.includes(route));

test.each([
  ['for a subscriber', { extras: true, plan: 'Scale' }, others, allRuns],
  ['for a checkout', { plan: 'Free' }, checkouts, Math.ceil(allRuns / 10)],
] as const)(
  '%s, every value that is sent after an approval is shown in the prompt',
  async (_of, person, routes, runs) => {
    const { recording, params, wanted } = await startScene(person);
    const given = fc.record({
      route: fc.constantFrom(...routes),
      body: createOddRecord(),
    });
    let sent = 0;
    await fc.assert(
      fc.asyncProperty(given, async ({ route, body }) => {
        const whole = Object.fromEntries([...Object.entries(body), ...Object.entries(wanted[route] ?? {})]);
        const { bodyFields } = getRouteByName(route);
        const named = Object.entries(whole).filter(([field]) => bodyFields?.includes(field) ?? true);
        const shown = await requestShown(route, { params: params(route), body: Object.fromEntries(named) });
        if (shown === null) return;
        const { method, path } = getRouteByName(route);
        // The service refuses the request, so that nothing changes for the next one.
        await world.practice.fault({ method, path, status: 409, code: 'NOT_NOW' });
        recording.take();
        expect((await world.approve(shown)).outcome).toMatchObject({ code: 'NOT_NOW' });
        await world.practice.control('DELETE', '/faults');
        const pattern = new RegExp(`^${path.replace(/\{[^}]+\}/g, '[^/?]+')}(\\?|$)`);
        const writes = recording.take().filter((one) => one.method === method && pattern.test(one.path));
        const [last] = writes.slice(-1);
        expect(last, `${route} over the wire`).toBeDefined();
        const reached: unknown = last?.body ? JSON.parse(last.body) : undefined;
        expect(findUnshown(reached, shown.prompt)).toEqual([]);
        expect(findMistakable(shown.prompt)).toEqual([]);
        sent += 1;
      }),
      { numRuns: runs, seed: 20_262 },
    );
    expect(sent).toBeGreaterThan(runs / 3);
  },
  getTimeLimit(allRuns, 1_000),
);
