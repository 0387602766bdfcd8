import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod';
import { buildRoutePath, routeNames, getRouteByName, type RouteName } from '../../../src/contract/index.ts';
import { goodInputs, sendable } from '../../helpers/practice/goodInputs.ts';
import { startScene, type Scene } from '../../helpers/bridge/scene.ts';

let scene: Scene;
let ann: { agentKey: string; userId: string };
beforeAll(async () => {
  scene = await startScene();
  const agentKey = (await scene.world.secrets.get('agent-key practice')) ?? '';
  const { body } = await scene.world.practice.call(agentKey, 'GET', '/auth/me');
  ann = { agentKey, userId: z.looseObject({ userId: z.string() }).parse(body).userId };
});
afterAll(() => scene.close());

const changeRights = (changes: Parameters<ReturnType<Scene['world']['companion']>['assistants']['change']>[1]) =>
  scene.world.companion().assistants.change(scene.one.assistantId, changes);
const withdrawAll = async () => {
  for (const { approvalId } of scene.world.companion().approvals.listPending())
    await scene.one.call('DELETE', `/companion/approvals/${approvalId}`);
};

/** Routes that only read although their requests have a body. Listed here independently of the code. */
const onlyLook: RouteName[] = ['quoteFees', 'validateTemplate', 'checkPromoCode', 'hydrateListing'];
/** Routes whose pages only the person may open. */
const offersPage: RouteName[] = ['readMarketAuthUrl', 'connectChannel'];
const getNeededScope = (name: RouteName): 'read' | 'draft' | 'ask' => {
  const { askFirst, method, group } = getRouteByName(name);
  if (askFirst || offersPage.includes(name)) return 'ask';
  if (method === 'GET' || onlyLook.includes(name)) return 'read';
  return group === 'Listings' ? 'draft' : 'ask';
};
const allowed = { read: ['read'], draft: ['read', 'draft'], ask: ['read', 'draft', 'ask'] };
const ofAssistants = routeNames.filter((name) => name !== 'startSignIn' && name !== 'verifySignIn');
const batchAnswer = z.object({
  approvals: z.array(z.looseObject({ approval: z.looseObject({ id: z.string() }).optional() })),
});
const callCount = z.record(z.string(), z.looseObject({ calls: z.int() }));

test.each(ofAssistants)('%s is allowed only for the scopes that include it', async (name) => {
  const { method, path } = getRouteByName(name);
  const good = sendable.parse(await goodInputs[name]({ practice: scene.world.practice, ann }));
  for (const scope of ['read', 'draft', 'ask'] as const) {
    changeRights({ scope });
    const before = callCount.parse(await scene.world.practice.control('GET', '/calls'))[name]?.calls;
    const answer = await scene.one.call(method, buildRoutePath(path, good.params, good.query), {
      ...(good.body === undefined ? {} : { body: good.body }),
      headers: good.headers ?? {},
    });
    const after = callCount.parse(await scene.world.practice.control('GET', '/calls'))[name]?.calls;
    if (allowed[scope].includes(getNeededScope(name))) expect(answer.body['code'], scope).not.toBe('NOT_ALLOWED');
    else {
      expect([answer.status, answer.body['code']], scope).toEqual([403, 'NOT_ALLOWED']);
      expect(answer.body['error']).toMatch(/^The person lets this assistant only look.*under Assistants\.$/);
      expect(after).toBe(before);
    }
    await withdrawAll();
  }
});

test('an assistant’s scope also limits the companion’s own operations', async () => {
  // An assistant may request twelve approvals in vain per minute.
  scene.world.clock.advance(60_000);
  const folder = await scene.world.folder('shoes', 1);
  changeRights({ scope: 'read', folders: [folder] });
  const listingId = await scene.draft(scene.other);
  const items = await scene.one.call('POST', '/companion/items', { body: { folder } });
  const photos = await scene.one.call('POST', `/companion/listings/${listingId}/photos`, { body: { folder } });
  expect([items.body['code'], photos.body['code']]).toEqual(['NOT_ALLOWED', 'NOT_ALLOWED']);
  expect((await scene.world.companion().disk.use()).copies).toBe(0);
  changeRights({ scope: 'draft' });
  expect((await scene.one.call('POST', `/companion/listings/${listingId}/photos`, { body: { folder } })).status).toBe(
    200,
  );
  const requests = [
    { method: 'DELETE', path: `/listings/${listingId}` },
    { method: 'DELETE', path: `/listings/${await scene.draft(scene.other)}` },
  ];
  const batch = await scene.one.call('POST', '/companion/approvals/batch', { body: { requests } });
  expect(JSON.stringify(batch.body)).toContain('NOT_ALLOWED');
  expect(scene.world.companion().approvals.listPending()).toEqual([]);
  changeRights({ scope: 'ask' });
});

test('a batch returns a pending approval or an error code for each request', async () => {
  const [a, b, c] = [await scene.draft(scene.one), await scene.draft(scene.one), await scene.draft(scene.one)];
  const requests = [
    { method: 'DELETE', path: `/listings/${a}` },
    { method: 'delete', path: `/listings/${b}`, body: { confirmed: true } },
    { method: 'GET', path: `/listings/${c}` },
    { method: 'POST', path: '/market/publish/none', body: {} },
  ];
  const { status, body } = await scene.one.call('POST', '/companion/approvals/batch', { body: { requests } });
  expect(status).toBe(202);
  expect(body).toMatchObject({
    approvals: [
      { listingId: a, approval: { state: 'pending' } },
      { listingId: b, approval: { state: 'pending' } },
      { listingId: c, code: 'APPROVAL_NOT_REQUIRED' },
      { listingId: 'none', code: 'NOT_FOUND' },
    ],
  });
  const { approvals } = batchAnswer.parse(body);
  for (const requests of [
    [],
    [{ method: 'DELETE', path: `/listings/${a}` }],
    [{ method: 'POST', path: '/auth/login' }, {}],
    'x',
  ])
    expect((await scene.one.call('POST', '/companion/approvals/batch', { body: { requests } })).status).toBe(400);
  for (const { approval } of approvals)
    if (approval) expect((await scene.one.call('DELETE', `/companion/approvals/${approval.id}`)).status).toBe(200);
});

test('an assistant can read the used part of its daily budgets', async () => {
  // An assistant may withdraw twelve approvals per minute.
  scene.world.clock.advance(60_000);
  changeRights({ publishesPerDay: 3, moneyCentsPerDay: 1_000 });
  const { listingId } = await scene.world.reviewed('book', 1);
  const before = (await scene.one.call('GET', '/companion/me')).body;
  expect(before).toMatchObject({
    name: 'Tidy Helper',
    scope: 'ask',
    budget: { publishesPerDay: 3 },
    waitingApprovals: 0,
  });
  const used = z.looseObject({ budget: z.looseObject({ publishesToday: z.int() }) }).parse(before)
    .budget.publishesToday;
  expect((await scene.one.call('POST', `/market/publish/${listingId}`, { body: {} })).status).toBe(202);
  expect((await scene.one.call('GET', '/companion/me')).body).toMatchObject({
    budget: { publishesToday: used + 1 },
    waitingApprovals: 1,
  });
  await withdrawAll();
  changeRights({ publishesPerDay: null, moneyCentsPerDay: null });
});
