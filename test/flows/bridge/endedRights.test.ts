import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ApprovalView } from '../../../src/core/storage/tables/approvalRecord.ts';
import { askFor, connectAs, held, sentTo, writtenListing } from '../../helpers/approvals/decisions.ts';
import { startScene, type Scene } from '../../helpers/bridge/scene.ts';
import { settled } from '../../helpers/testClock.ts';

let scene: Scene;
beforeEach(async () => {
  scene = await startScene();
});
afterEach(() => scene.close());

const world = () => scene.world;
const change = (changes: Parameters<ReturnType<Scene['world']['companion']>['assistants']['change']>[1]) =>
  world().companion().assistants.change(scene.one.assistantId, changes);
const revoke = () => world().companion().assistants.revoke(scene.one.assistantId);
const connectOther = () => connectAs(world(), 'other-seller@example.com');
const edit = (listingId: string) =>
  scene.one.call('PUT', `/listings/${listingId}`, { body: { title: 'Much too late' } });
const publish = (listingId: string) => scene.one.call('POST', `/market/publish/${listingId}`, { body: {} });
const waiting = (): ApprovalView[] => world().companion().approvals.listPending();

/** Each change that reduces the rights of an assistant, and the resulting error code. */
const ends: [string, string, () => unknown][] = [
  ['the assistant is revoked', 'ASSISTANT_PAUSED', revoke],
  ['the assistant is paused', 'ASSISTANT_PAUSED', () => change({ paused: true })],
  ['the assistant may only read', 'NOT_ALLOWED', () => change({ scope: 'read' })],
  ['the assistant is limited to its own listings', 'NOT_YOUR_LISTING', () => change({ touches: 'own' })],
];

describe('requests in flight when an assistant loses its rights', () => {
  test.each([...ends, ['another account is connected', 'ACCOUNT_CHANGED', connectOther] as const])(
    'a request waiting for the listing lock is not sent: %s',
    async (_how, code, end) => {
      const listingId = await writtenListing(world());
      const offer = { params: { listingId }, body: { bestOffer: { enabled: true } } };
      const shown = await askFor(world(), 'updateListing', offer);
      const sending = await held(world(), 'PUT', '/listings/{listingId}');
      const yes = world()
        .companion()
        .approvals.approve(shown.approvalId, shown.digest)
        .catch(() => undefined);
      await sending.arrived();
      const late = edit(listingId);
      await settled(() => world().clock.sleepsFor(5_000), 'the edit');
      await end();
      await sending.go();
      await yes;
      expect((await late).body['code']).toBe(code);
      expect(await sentTo(world(), 'updateListing')).toBe(1);
    },
  );

  test('a request is not retried after its assistant has been revoked', async () => {
    const listingId = await writtenListing(world());
    await world().practice.fault({ method: 'PUT', path: '/listings/{listingId}', drop: 'after' });
    const late = edit(listingId);
    const next = world().clock.next();
    await settled(() => world().clock.next() !== next, 'the pause before the second try');
    revoke();
    world().clock.advance(10_000);
    expect((await late).body['code']).toBe('NO_ANSWER');
    expect(await sentTo(world(), 'updateListing')).toBe(1);
  });
});

describe('prompts that are still being prepared when an assistant loses its rights', () => {
  test.each(ends)(
    'no prompt is created if the rights end while the listing is being read: %s',
    async (_how, code, end) => {
      const listingId = await writtenListing(world());
      const read = await held(world(), 'GET', '/listings/{listingId}');
      const late = publish(listingId);
      await read.arrived();
      end();
      await read.go();
      expect((await late).body['code']).toBe(code);
      expect(waiting()).toEqual([]);
    },
  );

  test('no prompt is created if the person declines the same act in the meantime', async () => {
    const listingId = await writtenListing(world());
    const read = await held(world(), 'GET', '/market/policies');
    const late = publish(listingId);
    await read.arrived();
    expect((await publish(listingId)).status).toBe(202);
    const [shown] = waiting();
    world()
      .companion()
      .approvals.decline(shown?.approvalId ?? '', shown?.digest ?? '', 'no');
    await read.go();
    expect((await late).body['code']).toBe('PERSON_DECLINED');
    expect(waiting()).toEqual([]);
  });
});

describe('photo uploads in flight when an assistant loses its rights', () => {
  test.each([...ends.slice(0, 3), ['another account is connected', 'ASSISTANT_PAUSED', connectOther] as const])(
    'the remaining photos are not sent: %s',
    async (_how, code, end) => {
      const folder = await world().folder('shoes', 3);
      change({ folders: [folder] });
      const listingId = await scene.draft(scene.one);
      const put = await held(world(), 'PUT', '/uploads/{token}');
      const late = scene.one.call('POST', `/companion/listings/${listingId}/photos`, { body: { folder } });
      await put.arrived();
      await end();
      await put.go();
      const answer = await late;
      expect([answer.status, answer.body['code']]).toEqual([403, code]);
      expect(await world().happened('photo')).toBe(1);
    },
  );
});

test('an edit in flight is reported as possibly done when another account is connected', async () => {
  const listingId = await writtenListing(world());
  const sending = await held(world(), 'PUT', '/listings/{listingId}');
  const late = edit(listingId);
  await sending.arrived();
  await connectOther();
  await sending.go();
  expect(await late).toMatchObject({
    status: 409,
    body: { code: 'ACCOUNT_CHANGED', error: expect.stringContaining('may have happened') as string },
  });
  expect(await world().happened('edit')).toBe(1);
});
