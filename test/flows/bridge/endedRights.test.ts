import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ApprovalView } from '../../../src/core/storage/tables/approvalRecord.ts';
import {
  requestPrompt,
  connectAs,
  holdRequest,
  countRequests,
  createWrittenListing,
} from '../../helpers/approvals/decisions.ts';
import { startScene, type Scene } from '../../helpers/bridge/scene.ts';
import { waitUntil } from '../../helpers/testClock.ts';

let scene: Scene;
beforeEach(async () => {
  scene = await startScene();
});
afterEach(() => scene.close());

const getWorld = () => scene.world;
const changeRights = (changes: Parameters<ReturnType<Scene['world']['companion']>['assistants']['change']>[1]) =>
  getWorld().companion().assistants.change(scene.one.assistantId, changes);
const revokeAssistant = () => getWorld().companion().assistants.revoke(scene.one.assistantId);
const connectOtherAccount = () => connectAs(getWorld(), 'other-seller@example.com');
const editListing = (listingId: string) =>
  scene.one.call('PUT', `/listings/${listingId}`, { body: { title: 'Much too late' } });
const publishListing = (listingId: string) => scene.one.call('POST', `/market/publish/${listingId}`, { body: {} });
const listPrompts = (): ApprovalView[] => getWorld().companion().approvals.listPending();

/** Each change that reduces the rights of an assistant, and the resulting error code. */
const ends: [string, string, () => unknown][] = [
  ['the assistant is revoked', 'ASSISTANT_PAUSED', revokeAssistant],
  ['the assistant is paused', 'ASSISTANT_PAUSED', () => changeRights({ paused: true })],
  ['the assistant may only read', 'NOT_ALLOWED', () => changeRights({ scope: 'read' })],
  ['the assistant is limited to its own listings', 'NOT_YOUR_LISTING', () => changeRights({ touches: 'own' })],
];

describe('requests in flight when an assistant loses its rights', () => {
  test.each([...ends, ['another account is connected', 'ACCOUNT_CHANGED', connectOtherAccount] as const])(
    'a request that waits for a locked listing is not sent after this event: %s',
    async (_how, code, end) => {
      const listingId = await createWrittenListing(getWorld());
      const offer = { params: { listingId }, body: { bestOffer: { enabled: true } } };
      const shown = await requestPrompt(getWorld(), 'updateListing', offer);
      const sending = await holdRequest(getWorld(), 'PUT', '/listings/{listingId}');
      const yes = getWorld()
        .pressYes(shown.approvalId, shown.digest)
        .catch(() => undefined);
      await sending.arrived();
      const late = editListing(listingId);
      await waitUntil(() => getWorld().clock.sleepsFor(5_000), 'the edit');
      await end();
      await sending.go();
      await yes;
      expect((await late).body['code']).toBe(code);
      expect(await countRequests(getWorld(), 'updateListing')).toBe(1);
    },
  );

  test('a request is not retried after its assistant has been revoked', async () => {
    const listingId = await createWrittenListing(getWorld());
    await getWorld().practice.fault({ method: 'PUT', path: '/listings/{listingId}', drop: 'after' });
    const late = editListing(listingId);
    const next = getWorld().clock.next();
    await waitUntil(() => getWorld().clock.next() !== next, 'the pause before the second try');
    revokeAssistant();
    getWorld().clock.advance(10_000);
    expect((await late).body['code']).toBe('NO_ANSWER');
    expect(await countRequests(getWorld(), 'updateListing')).toBe(1);
  });
});

describe('prompts that are still being prepared when an assistant loses its rights', () => {
  test.each(ends)(
    'no prompt is created if this happens while the listing is being read: %s',
    async (_how, code, end) => {
      const listingId = await createWrittenListing(getWorld());
      const read = await holdRequest(getWorld(), 'GET', '/listings/{listingId}');
      const late = publishListing(listingId);
      await read.arrived();
      end();
      await read.go();
      expect((await late).body['code']).toBe(code);
      expect(listPrompts()).toEqual([]);
    },
  );

  test('a waiting request creates no prompt if the person declines an identical request', async () => {
    const listingId = await createWrittenListing(getWorld());
    const read = await holdRequest(getWorld(), 'GET', '/market/policies');
    const late = publishListing(listingId);
    await read.arrived();
    expect((await publishListing(listingId)).status).toBe(202);
    const [shown] = listPrompts();
    getWorld()
      .companion()
      .approvals.decline(shown?.approvalId ?? '', shown?.digest ?? '', 'no');
    await read.go();
    expect((await late).body['code']).toBe('PERSON_DECLINED');
    expect(listPrompts()).toEqual([]);
  });
});

describe('photo uploads in flight when an assistant loses its rights', () => {
  test.each([...ends.slice(0, 3), ['another account is connected', 'ASSISTANT_PAUSED', connectOtherAccount] as const])(
    'the remaining photos of an upload are not sent after this event: %s',
    async (_how, code, end) => {
      const folder = await getWorld().folder('shoes', 3);
      changeRights({ folders: [folder] });
      const listingId = await scene.draft(scene.one);
      const put = await holdRequest(getWorld(), 'PUT', '/uploads/{token}');
      const late = scene.one.call('POST', `/companion/listings/${listingId}/photos`, { body: { folder } });
      await put.arrived();
      await end();
      await put.go();
      const answer = await late;
      expect([answer.status, answer.body['code']]).toEqual([403, code]);
      expect(await getWorld().happened('photo')).toBe(1);
    },
  );
});

test('an edit in flight is reported as possibly done when another account is connected', async () => {
  const listingId = await createWrittenListing(getWorld());
  const sending = await holdRequest(getWorld(), 'PUT', '/listings/{listingId}');
  const late = editListing(listingId);
  await sending.arrived();
  await connectOtherAccount();
  await sending.go();
  expect(await late).toMatchObject({
    status: 409,
    body: { code: 'ACCOUNT_CHANGED', error: expect.stringContaining('may have happened') as string },
  });
  expect(await getWorld().happened('edit')).toBe(1);
});
