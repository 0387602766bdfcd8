import { afterEach, describe, expect, test } from 'vitest';
import type { AssistantChanges } from '../../../../src/core/assistants/assistant.ts';
import { uploadSlot } from '../../../../src/contract/index.ts';
import { pairAsker } from '../../../helpers/assistant.ts';
import {
  requestPrompt,
  holdRequest,
  performAs,
  countRequests,
  readServiceKey,
  createWrittenListing,
} from '../../../helpers/approvals/decisions.ts';
import { drawnPhoto } from '../../../helpers/practice.ts';
import { waitUntil } from '../../../helpers/testClock.ts';
import { startWorld, type World } from '../../../helpers/world.ts';
import * as z from 'zod';
import { Problem } from '../../../../src/core/base/problem.ts';
import type { Asker } from '../../../../src/core/base/request.ts';

let world: World;
afterEach(() => world.close());

const getApprovals = () => world.companion().approvals;
const listPending = () => getApprovals().listPending();
const pairLimited = (name: string, changes: AssistantChanges = {}) => {
  const by = pairAsker(world, name);
  world.companion().assistants.change(by.assistantId, changes);
  return by;
};
const requestPublish = async (by: Asker, listingId?: string) =>
  requestPrompt(
    world,
    'publishListing',
    { params: { listingId: listingId ?? (await createWrittenListing(world)) } },
    by,
  );
const spent = { code: 'BUDGET_SPENT' };
const refuseQuotes = () =>
  world.practice.fault({
    method: 'POST',
    path: '/listings/{listingId}/channels/fees',
    times: 100,
    status: 429,
    headers: { 'retry-after': '3600' },
  });

describe('an assistant’s budget', () => {
  test('a fee that could not be checked exceeds every money budget', async () => {
    world = await startWorld();
    await refuseQuotes();
    const [money, count] = [
      pairLimited('Money', { moneyCentsPerDay: 100_000 }),
      pairLimited('Count', { publishesPerDay: 9 }),
    ];
    await expect(requestPublish(money)).rejects.toMatchObject(spent);
    expect(listPending()).toEqual([]);
    expect((await requestPublish(count)).prompt.money?.state).toBe('unavailable');
  });

  test('an approval sends nothing when the fee rose above the assistant’s budget', async () => {
    world = await startWorld();
    const by = pairLimited('Thrifty', { moneyCentsPerDay: 40 });
    const shown = await requestPublish(by);
    await world.practice.control('POST', '/fees', { extraMinor: 15 });
    expect(await world.pressYes(shown.approvalId, shown.digest)).toMatchObject({
      state: 'superseded',
      outcome: spent,
    });
    expect(listPending()).toEqual([]);
    expect(await world.happened('publish')).toBe(0);
  });

  test('an approval sends nothing if the budget was made smaller while the prompt was shown', async () => {
    world = await startWorld();
    const by = pairLimited('Curbed', { publishesPerDay: 5 });
    const shown = await requestPublish(by);
    world.companion().assistants.change(by.assistantId, { publishesPerDay: 0 });
    expect(await world.pressYes(shown.approvalId, shown.digest)).toMatchObject({
      state: 'superseded',
      outcome: spent,
    });
    expect(await world.happened('publish')).toBe(0);
  });

  test('a budget counts pending, finished and unconfirmed publishes', async () => {
    world = await startWorld();
    const by = pairLimited('Counted', { publishesPerDay: 1 });
    const shown = await requestPublish(by);
    await expect(requestPublish(by)).rejects.toMatchObject(spent);
    getApprovals().decline(shown.approvalId, shown.digest, 'no');
    // A declined approval does not use up the budget.
    const lost = await requestPublish(by);
    await world.practice.fault({ method: 'POST', path: '/market/publish/{listingId}', drop: 'before' });
    void world.pressYes(lost.approvalId, lost.digest).catch(() => undefined);
    await waitUntil(() => getApprovals().readView(lost.approvalId).state === 'unconfirmed', 'the lost answer');
    await expect(requestPublish(by)).rejects.toMatchObject(spent);
    world.companion().assistants.change(by.assistantId, { publishesPerDay: 2 });
    await world.approve(await requestPublish(by));
    await expect(requestPublish(by)).rejects.toMatchObject(spent);
    expect(await world.happened('publish')).toBe(1);
  });
});

describe('an assistant that lost its access', () => {
  test.each([
    ['paused', (id: string) => world.companion().assistants.pause(id)],
    ['revoked', (id: string) => world.companion().assistants.revoke(id)],
  ])(
    'after an assistant is %s, its approvals are withdrawn and its new requests are refused',
    async (_how, silence) => {
      world = await startWorld();
      const by = pairAsker(world, 'Gone');
      const shown = await requestPublish(by);
      silence(by.assistantId);
      expect((await world.pressYes(shown.approvalId, shown.digest)).state).toBe('withdrawn');
      await expect(requestPublish(by)).rejects.toMatchObject({ code: 'ASSISTANT_PAUSED' });
      expect(await world.happened('publish')).toBe(0);
    },
  );

  test('an approval sends nothing if its assistant is paused while the listing is re-read', async () => {
    world = await startWorld();
    const by = pairAsker(world, 'Gone');
    const shown = await requestPublish(by);
    const read = await holdRequest(world, 'GET', '/listings/{listingId}');
    const yes = world.pressYes(shown.approvalId, shown.digest);
    await read.arrived();
    world.companion().assistants.pause(by.assistantId);
    await read.go();
    expect((await yes).state).toBe('withdrawn');
    expect(await world.happened('publish')).toBe(0);
  });

  test('the answer "I did not ask for this" pauses the assistant', async () => {
    world = await startWorld();
    const by = pairAsker(world, 'Sly');
    const [shown] = [await requestPublish(by), await requestPublish(by)];
    getApprovals().decline(shown.approvalId, shown.digest, 'not_asked_for');
    expect(listPending()).toEqual([]);
    await expect(requestPublish(by)).rejects.toMatchObject({ code: 'ASSISTANT_PAUSED' });
  });

  test('the answer "I did not ask for this" does not pause the assistant if its digest is wrong', async () => {
    world = await startWorld();
    const by = pairAsker(world, 'Steady');
    const shown = await requestPublish(by);
    const declineWithOtherDigest = () => getApprovals().decline(shown.approvalId, 'f'.repeat(64), 'not_asked_for');
    expect(declineWithOtherDigest).toThrowError(expect.objectContaining({ code: 'NOT_WHAT_WAS_SHOWN' }) as Error);
    expect(listPending()).toMatchObject([{ approvalId: shown.approvalId, state: 'pending' }]);
    expect((await requestPublish(by)).state).toBe('pending');
  });
});

describe('generation of a listing', () => {
  const startUsedUp = () => startWorld({ person: { plan: 'Lite', used: 30, extras: true } });
  const createDraft = async () => world.practice.draft(await readServiceKey(world), 1);
  const generateListing = async (by: Asker, body: Record<string, unknown> = {}) =>
    performAs(world, by, 'generateListing', { params: { listingId: await createDraft() }, body });
  const setExtrasAside = async (by: Asker, count: number): Promise<string> => {
    const standing = await world.perform('readStanding', {});
    const { allowance } = z
      .object({ allowance: z.object({ extras: z.object({ rateCents: z.int() }) }) })
      .parse(standing.state === 'done' ? standing.answer : null);
    const body = { count, rateCents: allowance.extras.rateCents };
    const done = await world.approve(await requestPrompt(world, 'approveExtras', { body }, by));
    const after = getApprovals().readView(done.approvalId);
    expect(after.state).toBe('done');
    const answer = await world.companion().outcome(done.approvalId, 0);
    return z.object({ approvalId: z.string() }).parse(answer.state === 'done' ? answer.answer : null).approvalId;
  };

  test('the prompt of a generation shows the price if the plan and the credits are used up', async () => {
    world = await startUsedUp();
    const [rich, poor] = [pairAsker(world, 'Rich'), pairAsker(world, 'Poor')];
    await setExtrasAside(rich, 2);
    const outcome = await generateListing(poor);
    expect(outcome.state).toBe('pending');
    expect(listPending()[0]?.prompt.money).toMatchObject({ state: 'fee', totalMinor: 60 });
    expect(await world.happened('generation')).toBe(0);
  });

  test('a generation that the plan pays for needs no approval', async () => {
    world = await startWorld();
    expect((await generateListing(pairAsker(world, 'Writer'))).state).toBe('done');
    expect(listPending()).toEqual([]);
  });

  test('a generation that waited for another generation of its listing is not sent', async () => {
    world = await startWorld();
    const [first, second] = [pairAsker(world, 'First'), pairAsker(world, 'Second')];
    const listingId = await createDraft();
    const generateSame = (by: Asker) => performAs(world, by, 'generateListing', { params: { listingId } });
    const standing = await holdRequest(world, 'GET', '/agent/me');
    const written = generateSame(first);
    await standing.arrived();
    // A repeated call is allowed after five seconds, while the first call is still unsent.
    world.clock.advance(6_000);
    const late = generateSame(second);
    late.catch(() => undefined);
    await standing.go();
    expect((await written).state).toBe('done');
    // A second generation needs an approval, which is refused because the listing is no draft.
    await expect(late).rejects.toBeInstanceOf(Problem);
    expect(await countRequests(world, 'generateListing')).toBe(1);
  });

  test('a generation spends only the extras that were set aside for its own asker', async () => {
    world = await startUsedUp();
    const [rich, poor] = [pairAsker(world, 'Rich'), pairAsker(world, 'Poor')];
    const extrasApprovalId = await setExtrasAside(rich, 2);
    await expect(generateListing(poor, { extrasApprovalId })).rejects.toMatchObject({
      code: 'EXTRAS_APPROVAL_REQUIRED',
    });
    expect(await world.happened('generation')).toBe(0);
    expect((await generateListing(rich, { extrasApprovalId })).state).toBe('done');
    expect(await world.happened('generation')).toBe(1);
  });
});

describe('fields of a request body', () => {
  test('a request body with a field that its route does not declare is refused', async () => {
    world = await startWorld();
    const params = { listingId: await createWrittenListing(world) };
    for (const [route, body] of [
      ['quoteFees', { action: 'confirm', marketplaceId: 'MKT_US', also: true }],
      ['approveExtras', { count: 1, rateCents: 55, silently: true }],
    ] as const)
      await expect(
        world.companion().perform({ by: { kind: 'person' }, route, input: { params, body } }),
      ).rejects.toMatchObject({ code: 'INVALID_REQUEST', field: Object.keys(body).at(-1) });
    expect(listPending()).toEqual([]);
  });

  test('a request that turns off security or billing notices leads to a prompt', async () => {
    world = await startWorld();
    const by = pairAsker(world, 'Quiet');
    for (const body of [{ security: false }, { billing: { email: 'off' } }, { muteAll: true }])
      await requestPrompt(world, 'updatePushPreferences', { body }, by);
    expect((await performAs(world, by, 'updatePushPreferences', { body: { news: false } })).state).toBe('done');
    expect(await countRequests(world, 'updatePushPreferences')).toBe(1);
  });
});

describe('photo uploads in flight', () => {
  const slots = z.array(uploadSlot);
  const openSlot = async (by: Asker, listingId: string) => {
    const body = { listingId, files: [{ contentType: 'image/jpeg' as const, index: 0 }] };
    const asked = { by, route: 'requestUploads' as const, input: { body }, reachedAt: 'http://127.0.0.1:1' };
    const outcome = await world.companion().perform(asked);
    const [slot] = slots.parse(outcome.state === 'done' ? outcome.answer : []);
    if (!slot) throw new Error('No slot.');
    return slot;
  };
  const putPhoto = async (url: string) => {
    const bytes = [await drawnPhoto(9)];
    const body = (async function* () {
      yield* bytes;
    })();
    const token = new URL(url).pathname.split('/').at(-1) ?? '';
    const { signal } = new AbortController();
    return world.companion().uploads.take(token, 'image/jpeg', { bytes: body, length: null }, signal);
  };

  test('a publish is refused while a photo of its listing is still being uploaded', async () => {
    world = await startWorld();
    const by = pairAsker(world, 'Photographer');
    const listingId = await createWrittenListing(world);
    const slot = await openSlot(by, listingId);
    const arriving = await holdRequest(world, 'PUT', '/uploads/{token}');
    const putting = putPhoto(slot.uploadUrl);
    await arriving.arrived();
    await expect(requestPublish(by, listingId)).rejects.toMatchObject({ code: 'PHOTOS_UPLOADING', retryAfterS: 5 });
    await arriving.go();
    await putting;
    expect((await requestPublish(by, listingId)).state).toBe('pending');
  });

  test('a new prompt invalidates the upload addresses that were given out before it', async () => {
    world = await startWorld();
    const by = pairAsker(world, 'Photographer');
    const listingId = await createWrittenListing(world);
    const slot = await openSlot(by, listingId);
    const shown = await requestPublish(by, listingId);
    await expect(putPhoto(slot.uploadUrl)).rejects.toMatchObject({ code: 'UPLOAD_CLOSED' });
    expect((await world.pressYes(shown.approvalId, shown.digest)).state).toBe('done');
  });
});
