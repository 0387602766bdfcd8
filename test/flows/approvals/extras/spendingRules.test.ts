import { afterEach, describe, expect, test } from 'vitest';
import type { AssistantChanges } from '../../../../src/core/assistants/assistant.ts';
import { uploadSlot } from '../../../../src/contract/index.ts';
import { pairedAsker } from '../../../helpers/assistant.ts';
import { askFor, held, performAs, sentTo, serviceKey, writtenListing } from '../../../helpers/approvals/decisions.ts';
import { drawnPhoto } from '../../../helpers/practice.ts';
import { settled } from '../../../helpers/testClock.ts';
import { startWorld, type World } from '../../../helpers/world.ts';
import * as z from 'zod';
import { Problem } from '../../../../src/core/base/problem.ts';
import type { Asker } from '../../../../src/core/base/request.ts';

let world: World;
afterEach(() => world.close());

const approvals = () => world.companion().approvals;
const waiting = () => approvals().listPending();
const limited = (name: string, changes: AssistantChanges = {}) => {
  const by = pairedAsker(world, name);
  world.companion().assistants.change(by.assistantId, changes);
  return by;
};
const publish = async (by: Asker, listingId?: string) =>
  askFor(world, 'publishListing', { params: { listingId: listingId ?? (await writtenListing(world)) } }, by);
const spent = { code: 'BUDGET_SPENT' };
const noQuotes = () =>
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
    await noQuotes();
    const [money, count] = [limited('Money', { moneyCentsPerDay: 100_000 }), limited('Count', { publishesPerDay: 9 })];
    await expect(publish(money)).rejects.toMatchObject(spent);
    expect(waiting()).toEqual([]);
    expect((await publish(count)).prompt.money?.state).toBe('unavailable');
  });

  test('an approval sends nothing when the fee rose above the assistant’s budget', async () => {
    world = await startWorld();
    const by = limited('Thrifty', { moneyCentsPerDay: 40 });
    const shown = await publish(by);
    await world.practice.control('POST', '/fees', { extraMinor: 15 });
    expect(await approvals().approve(shown.approvalId, shown.digest)).toMatchObject({
      state: 'superseded',
      outcome: spent,
    });
    expect(waiting()).toEqual([]);
    expect(await world.happened('publish')).toBe(0);
  });

  test('an approval sends nothing if the budget was made smaller while the prompt was shown', async () => {
    world = await startWorld();
    const by = limited('Curbed', { publishesPerDay: 5 });
    const shown = await publish(by);
    world.companion().assistants.change(by.assistantId, { publishesPerDay: 0 });
    expect(await approvals().approve(shown.approvalId, shown.digest)).toMatchObject({
      state: 'superseded',
      outcome: spent,
    });
    expect(await world.happened('publish')).toBe(0);
  });

  test('a budget counts pending, finished and unconfirmed publishes', async () => {
    world = await startWorld();
    const by = limited('Counted', { publishesPerDay: 1 });
    const shown = await publish(by);
    await expect(publish(by)).rejects.toMatchObject(spent);
    approvals().decline(shown.approvalId, shown.digest, 'no');
    // A declined approval does not use up the budget.
    const lost = await publish(by);
    await world.practice.fault({ method: 'POST', path: '/market/publish/{listingId}', drop: 'before' });
    void approvals()
      .approve(lost.approvalId, lost.digest)
      .catch(() => undefined);
    await settled(() => approvals().readView(lost.approvalId).state === 'unconfirmed', 'the lost answer');
    await expect(publish(by)).rejects.toMatchObject(spent);
    world.companion().assistants.change(by.assistantId, { publishesPerDay: 2 });
    await world.approve(await publish(by));
    await expect(publish(by)).rejects.toMatchObject(spent);
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
      const by = pairedAsker(world, 'Gone');
      const shown = await publish(by);
      silence(by.assistantId);
      expect((await approvals().approve(shown.approvalId, shown.digest)).state).toBe('withdrawn');
      await expect(publish(by)).rejects.toMatchObject({ code: 'ASSISTANT_PAUSED' });
      expect(await world.happened('publish')).toBe(0);
    },
  );

  test('an approval sends nothing if its assistant is paused while the listing is re-read', async () => {
    world = await startWorld();
    const by = pairedAsker(world, 'Gone');
    const shown = await publish(by);
    const read = await held(world, 'GET', '/listings/{listingId}');
    const yes = approvals().approve(shown.approvalId, shown.digest);
    await read.arrived();
    world.companion().assistants.pause(by.assistantId);
    await read.go();
    expect((await yes).state).toBe('withdrawn');
    expect(await world.happened('publish')).toBe(0);
  });

  test('the answer "I did not ask for this" pauses the assistant', async () => {
    world = await startWorld();
    const by = pairedAsker(world, 'Sly');
    const [shown] = [await publish(by), await publish(by)];
    approvals().decline(shown.approvalId, shown.digest, 'not_asked_for');
    expect(waiting()).toEqual([]);
    await expect(publish(by)).rejects.toMatchObject({ code: 'ASSISTANT_PAUSED' });
  });

  test('the answer "I did not ask for this" with another digest does not pause the assistant', async () => {
    world = await startWorld();
    const by = pairedAsker(world, 'Steady');
    const shown = await publish(by);
    const answer = () => approvals().decline(shown.approvalId, 'f'.repeat(64), 'not_asked_for');
    expect(answer).toThrowError(expect.objectContaining({ code: 'NOT_WHAT_WAS_SHOWN' }) as Error);
    expect(waiting()).toMatchObject([{ approvalId: shown.approvalId, state: 'pending' }]);
    expect((await publish(by)).state).toBe('pending');
  });
});

describe('generation of a listing', () => {
  const usedUp = () => startWorld({ person: { plan: 'Lite', used: 30, extras: true } });
  const draft = async () => world.practice.draft(await serviceKey(world), 1);
  const write = async (by: Asker, body: Record<string, unknown> = {}) =>
    performAs(world, by, 'generateListing', { params: { listingId: await draft() }, body });
  const approvedExtras = async (by: Asker, count: number): Promise<string> => {
    const standing = await world.perform('readStanding', {});
    const { allowance } = z
      .object({ allowance: z.object({ extras: z.object({ rateCents: z.int() }) }) })
      .parse(standing.state === 'done' ? standing.answer : null);
    const body = { count, rateCents: allowance.extras.rateCents };
    const done = await world.approve(await askFor(world, 'approveExtras', { body }, by));
    const after = approvals().readView(done.approvalId);
    expect(after.state).toBe('done');
    const answer = await world.companion().outcome(done.approvalId, 0);
    return z.object({ approvalId: z.string() }).parse(answer.state === 'done' ? answer.answer : null).approvalId;
  };

  test('a prompt shows the price if the plan and the credits are used up', async () => {
    world = await usedUp();
    const [rich, poor] = [pairedAsker(world, 'Rich'), pairedAsker(world, 'Poor')];
    await approvedExtras(rich, 2);
    const outcome = await write(poor);
    expect(outcome.state).toBe('pending');
    expect(waiting()[0]?.prompt.money).toMatchObject({ state: 'fee', totalMinor: 60 });
    expect(await world.happened('generation')).toBe(0);
  });

  test('a generation that the plan pays for needs no approval', async () => {
    world = await startWorld();
    expect((await write(pairedAsker(world, 'Writer'))).state).toBe('done');
    expect(waiting()).toEqual([]);
  });

  test('a generation that waited for another generation of the same listing is not sent', async () => {
    world = await startWorld();
    const [first, second] = [pairedAsker(world, 'First'), pairedAsker(world, 'Second')];
    const listingId = await draft();
    const again = (by: Asker) => performAs(world, by, 'generateListing', { params: { listingId } });
    const standing = await held(world, 'GET', '/agent/me');
    const written = again(first);
    await standing.arrived();
    // A repeated call is allowed after five seconds, while the first call is still unsent.
    world.clock.advance(6_000);
    const late = again(second);
    late.catch(() => undefined);
    await standing.go();
    expect((await written).state).toBe('done');
    // A second generation needs an approval, which is refused because the listing is no draft.
    await expect(late).rejects.toBeInstanceOf(Problem);
    expect(await sentTo(world, 'generateListing')).toBe(1);
  });

  test('a generation spends only the extras of its own asker', async () => {
    world = await usedUp();
    const [rich, poor] = [pairedAsker(world, 'Rich'), pairedAsker(world, 'Poor')];
    const extrasApprovalId = await approvedExtras(rich, 2);
    await expect(write(poor, { extrasApprovalId })).rejects.toMatchObject({ code: 'EXTRAS_APPROVAL_REQUIRED' });
    expect(await world.happened('generation')).toBe(0);
    expect((await write(rich, { extrasApprovalId })).state).toBe('done');
    expect(await world.happened('generation')).toBe(1);
  });
});

describe('fields of a request body', () => {
  test('a body with a field that its route does not name is refused', async () => {
    world = await startWorld();
    const params = { listingId: await writtenListing(world) };
    for (const [route, body] of [
      ['quoteFees', { action: 'confirm', marketplaceId: 'MKT_US', also: true }],
      ['approveExtras', { count: 1, rateCents: 55, silently: true }],
    ] as const)
      await expect(
        world.companion().perform({ by: { kind: 'person' }, route, input: { params, body } }),
      ).rejects.toMatchObject({ code: 'INVALID_REQUEST', field: Object.keys(body).at(-1) });
    expect(waiting()).toEqual([]);
  });

  test('a request that turns off security or billing notices leads to a prompt', async () => {
    world = await startWorld();
    const by = pairedAsker(world, 'Quiet');
    for (const body of [{ security: false }, { billing: { email: 'off' } }, { muteAll: true }])
      await askFor(world, 'updatePushPreferences', { body }, by);
    expect((await performAs(world, by, 'updatePushPreferences', { body: { news: false } })).state).toBe('done');
    expect(await sentTo(world, 'updatePushPreferences')).toBe(1);
  });
});

describe('photo uploads in flight', () => {
  const slots = z.array(uploadSlot);
  const opened = async (by: Asker, listingId: string) => {
    const body = { listingId, files: [{ contentType: 'image/jpeg' as const, index: 0 }] };
    const asked = { by, route: 'requestUploads' as const, input: { body }, reachedAt: 'http://127.0.0.1:1' };
    const outcome = await world.companion().perform(asked);
    const [slot] = slots.parse(outcome.state === 'done' ? outcome.answer : []);
    if (!slot) throw new Error('No slot.');
    return slot;
  };
  const put = async (url: string) => {
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
    const by = pairedAsker(world, 'Photographer');
    const listingId = await writtenListing(world);
    const slot = await opened(by, listingId);
    const arriving = await held(world, 'PUT', '/uploads/{token}');
    const putting = put(slot.uploadUrl);
    await arriving.arrived();
    await expect(publish(by, listingId)).rejects.toMatchObject({ code: 'PHOTOS_UPLOADING', retryAfterS: 5 });
    await arriving.go();
    await putting;
    expect((await publish(by, listingId)).state).toBe('pending');
  });

  test('an upload address given out earlier is invalid once the prompt exists', async () => {
    world = await startWorld();
    const by = pairedAsker(world, 'Photographer');
    const listingId = await writtenListing(world);
    const slot = await opened(by, listingId);
    const shown = await publish(by, listingId);
    await expect(put(slot.uploadUrl)).rejects.toMatchObject({ code: 'UPLOAD_CLOSED' });
    expect((await approvals().approve(shown.approvalId, shown.digest)).state).toBe('done');
  });
});
