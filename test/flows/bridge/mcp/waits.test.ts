import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { listAllItems } from '../../../helpers/listAllItems.ts';
import { pairWithId } from '../../../helpers/bridge/scene.ts';
import { waitUntil } from '../../../helpers/testClock.ts';
import { startWorld, type World } from '../../../helpers/world.ts';
import { clients, connect, type Answer, type McpClient } from './clients.ts';

let world: World;
let bridge: Awaited<ReturnType<World['bridge']>>;
let assistantId: string;
let client: McpClient;
let folder: string;

const connectAssistant = async (connect: (url: string, token: string) => Promise<McpClient>): Promise<void> => {
  const helper = await pairWithId(world, bridge.url, 'Tidy Helper');
  ({ assistantId } = helper);
  folder = await world.folder('desk lamp');
  world.companion().assistants.change(assistantId, { folders: [folder] });
  client = await connect(bridge.url, helper.token);
  await client.tools();
};

beforeEach(async () => {
  world = await startWorld();
  bridge = await world.bridge();
});
afterEach(async () => {
  await client.close();
  await bridge.stop();
  await world.close();
});

/** Returns the result of a waiting call while the clock advances slowly, so that the work ends before the timeout. */
const whileTimeRuns = async <T>(call: Promise<T>, turnMs = 100): Promise<T> => {
  let over = false;
  const answer = call.finally(() => (over = true));
  answer.catch(() => undefined);
  await waitUntil(() => {
    world.clock.advance(turnMs);
    return over;
  }, 'the answer');
  return answer;
};

const waitForPrompt = async () => {
  await waitUntil(() => world.companion().approvals.listPending().length > 0, 'the prompt');
  const [approval] = world.companion().approvals.listPending();
  if (!approval) throw new Error('No prompt is pending.');
  return approval;
};
const getText = (answer: Answer, name: string): string => z.string().parse(answer.data[name]);

describe.each(Object.entries(clients))('waiting tool calls with %s', (_name, { connect }) => {
  beforeEach(() => connectAssistant(connect));

  test('an assistant can publish photos with at most eight tool calls', async () => {
    const made: string[] = [];
    const callAndRecord = (name: string, args: Record<string, unknown> = {}): Promise<Answer> => {
      made.push(name);
      return client.call(name, args);
    };
    await callAndRecord('get_standing');
    const item = await whileTimeRuns(callAndRecord('create_listing_from_photos', { folder }));
    expect(item.data).toMatchObject({ step: 'review' });
    const listingId = getText(item, 'listingId');
    expect((await callAndRecord('get_listing', { listingId })).data).toMatchObject({ status: 'pending_review' });
    await callAndRecord('quote_fees', { listingId });
    const asked = callAndRecord('publish_listing', { listingId, waitS: 45 });
    const approved = world.approve(await waitForPrompt());
    expect((await asked).data).toMatchObject({ state: 'done', liveUrl: expect.stringMatching(/^http/) as unknown });
    await approved;
    expect(made.length).toBeLessThanOrEqual(8);
    expect(new Set(made).size).toBe(made.length);
  });

  test('a client that asks for progress gets increasing progress numbers', async () => {
    const progressMessages: { progress: number; message?: string }[] = [];
    const onprogress = (one: (typeof progressMessages)[number]): void => void progressMessages.push(one);
    world.companion().pauseAll(true);
    await whileTimeRuns(client.call('create_listing_from_photos', { folder, waitS: 20 }, { onprogress }), 1_000);
    world.companion().pauseAll(false);
    expect(progressMessages.length).toBeGreaterThan(2);
    expect(progressMessages.map(({ progress }) => progress)).toEqual(progressMessages.map((_one, index) => index + 1));
    for (const { message } of progressMessages) expect(message).toMatch(/^[A-Z]/);
  });

  test('a client that repeats an aborted call gets the item that already exists', async () => {
    world.companion().pauseAll(true);
    const clientTimeout = new AbortController();
    const first = client.call('create_listing_from_photos', { folder }, { signal: clientTimeout.signal });
    first.catch(() => undefined);
    await waitUntil(() => listAllItems(world.companion()).length === 1, 'the item');
    clientTimeout.abort(new Error('No more time.'));
    await expect(first).rejects.toThrow();
    world.companion().pauseAll(false);
    const again = await whileTimeRuns(client.call('create_listing_from_photos', { folder }));
    expect(again.data).toMatchObject({ step: 'review' });
    expect(listAllItems(world.companion()).map(({ itemId }) => itemId)).toEqual([again.data['itemId']]);
  });

  test('a client that repeats an aborted publish call gets the result of the approval', async () => {
    const { listingId } = await world.reviewed();
    const clientTimeout = new AbortController();
    const first = client.call('publish_listing', { listingId, waitS: 44 }, { signal: clientTimeout.signal });
    first.catch(() => undefined);
    const approval = await waitForPrompt();
    await waitUntil(() => world.clock.sleepsFor(44_000), 'the wait');
    clientTimeout.abort(new Error('No more time.'));
    await expect(first).rejects.toThrow();
    await waitUntil(() => !world.clock.sleepsFor(44_000), 'the end of the wait');
    await world.approve(approval);
    const again = await whileTimeRuns(client.call('publish_listing', { listingId, waitS: 45 }));
    expect(again.data).toMatchObject({ state: 'done' });
    expect(await world.happened('publish')).toBe(1);
  });
});

describe('waiting tool calls with one client', () => {
  beforeEach(() => connectAssistant(clients['the version 2 client on 2026-07-28'].connect));

  test('a folder that is not allowed does not prevent items from other folders', async () => {
    const other = await world.folder('blue shoes');
    const foreign = await world.folder('not allowed');
    world.companion().assistants.change(assistantId, { folders: [folder, other] });
    const made = await whileTimeRuns(client.call('create_listing_from_photos', { folders: [folder, foreign, other] }));
    expect(made.data).toMatchObject({
      items: [
        { step: 'review', photosNotUsed: [] },
        { step: 'review', photosNotUsed: [] },
      ],
      notTaken: [{ untrustedFolder: foreign, code: 'FOLDER_NOT_ALLOWED' }],
    });
  });

  test('a wait for several items ends when all items are in review', async () => {
    const other = await world.folder('blue shoes');
    world.companion().assistants.change(assistantId, { folders: [folder, other] });
    world.companion().pauseAll(true);
    const made = await client.call('create_listing_from_photos', { folders: [folder, other], waitS: 0 });
    const itemIds = listAllItems(world.companion()).map(({ itemId }) => itemId);
    for (const itemId of itemIds) expect(made.data['nextStep']).toContain(itemId);
    const late = client.call('check_request', { itemIds, waitS: 44 });
    await waitUntil(() => world.clock.sleepsFor(44_000), 'the wait');
    world.clock.advance(44_000);
    expect((await late).data['nextStep']).toContain('waitS 45');
    world.companion().pauseAll(false);
    const there = await whileTimeRuns(client.call('check_request', { itemIds, waitS: 45 }));
    expect(there.data).toMatchObject({ items: [{ step: 'review' }, { step: 'review' }] });
    expect(there.data['nextStep']).not.toContain('waitS');
  });

  test('a wait for several items ends as soon as one item stops', async () => {
    const other = await world.folder('blue shoes');
    world.companion().assistants.change(assistantId, { folders: [folder, other] });
    world.companion().pauseAll(true);
    await client.call('create_listing_from_photos', { folders: [folder, other], waitS: 0 });
    const [one, another] = listAllItems(world.companion()).map(({ itemId }) => itemId);
    const waiting = client.call('check_request', { itemIds: [one, another], waitS: 44 });
    await waitUntil(() => world.clock.sleepsFor(44_000), 'the wait');
    await world.companion().items.cancel(one ?? '');
    expect((await waiting).data).toMatchObject({
      items: [
        { itemId: one, stoppedBecause: { code: 'CANCELLED' } },
        { itemId: another, stoppedBecause: null },
      ],
    });
  });

  test('if a publish call reaches its timeout, it returns the pending approval', async () => {
    const { listingId } = await world.reviewed();
    const asked = client.call('publish_listing', { listingId, waitS: 44 });
    const approval = await waitForPrompt();
    await waitUntil(() => world.clock.sleepsFor(44_000), 'the wait');
    world.clock.advance(44_000);
    expect((await asked).data).toMatchObject({ state: 'waiting_for_person', requestId: approval.approvalId });
  });

  test('a decline ends a waiting publish call at once with a refusal', async () => {
    const { listingId } = await world.reviewed();
    const asked = client.call('publish_listing', { listingId, waitS: 45 });
    const { approvalId, digest } = await waitForPrompt();
    world.companion().approvals.decline(approvalId, digest, 'no');
    expect(await asked).toMatchObject({ isError: true, data: { code: 'PERSON_DECLINED' } });
  });

  test('many aborted calls of one assistant do not affect another assistant’s unfinished item', async () => {
    world.companion().pauseAll(true);
    const clientTimeout = new AbortController();
    const first = client.call('create_listing_from_photos', { folder }, { signal: clientTimeout.signal });
    first.catch(() => undefined);
    await waitUntil(() => listAllItems(world.companion()).length === 1, 'the item');
    const [begun] = listAllItems(world.companion());
    clientTimeout.abort(new Error('No more time.'));
    await expect(first).rejects.toThrow();
    await waitUntil(() => !world.clock.sleepsFor(45_000), 'the end of the wait');
    world.companion().pauseAll(false);

    const { listingId } = await world.reviewed();
    const other = await connect(bridge.url, (await pairWithId(world, bridge.url, 'Other Helper')).token);
    const publish = { route: 'publishListing', params: { listingId }, body: {}, waitS: 44 };
    for (let index = 0; index <= 100; index += 1) {
      const callTimeout = new AbortController();
      const call = other.call(
        'call_service',
        { ...publish, idempotencyKey: `k${index}` },
        { signal: callTimeout.signal },
      );
      call.catch(() => undefined);
      await waitUntil(() => world.clock.sleepsFor(44_000), 'the wait');
      callTimeout.abort(new Error('No more time.'));
      await waitUntil(() => !world.clock.sleepsFor(44_000), 'the end of the wait');
    }
    await other.close();
    const again = await client.call('create_listing_from_photos', { folder, waitS: 0 });
    expect(again.data['itemId']).toBe(begun?.itemId);
  });
});
