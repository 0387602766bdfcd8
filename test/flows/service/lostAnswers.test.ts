import { afterEach, expect, test } from 'vitest';
import { startWorld, type World } from '../../helpers/world.ts';

let world: World;
afterEach(() => world.close());

test.each([
  ['POST', '/listings'],
  ['POST', '/listings/upload-url'],
  ['PUT', '/uploads/{token}'],
  ['POST', '/listings/{listingId}/generate'],
  ['GET', '/listings/{listingId}'],
])('an item is generated once although one answer to %s %s is lost', async (method, path) => {
  world = await startWorld();
  await world.practice.fault({ method, path, times: 1, drop: 'after' });
  await world.reviewed('green lamp', 2);
  expect([await world.happened('draft'), await world.happened('generation')]).toEqual([1, 1]);
});

test.each(['before', 'after'] as const)(
  'an item is generated once although each call is cut off once, %s its effect',
  async (drop) => {
    world = await startWorld();
    for (const [method, path] of [
      ['POST', '/listings'],
      ['POST', '/listings/upload-url'],
      ['PUT', '/uploads/{token}'],
      ['GET', '/agent/me'],
      ['POST', '/listings/{listingId}/generate'],
      ['GET', '/listings/{listingId}'],
    ]) {
      await world.practice.fault({ method, path, times: 1, drop });
    }
    const { listingId } = await world.reviewed('green lamp', 3);
    expect([await world.happened('draft'), await world.happened('generation')]).toEqual([1, 1]);
    expect((await world.listing(listingId)).imageUrls).toHaveLength(3);
  },
);

const approvePending = async () => {
  const [waiting] = world.companion().approvals.listPending();
  const decided = world.pressYes(waiting?.approvalId ?? '', waiting?.digest ?? '');
  let settled = false;
  void decided.finally(() => (settled = true)).catch(() => undefined);
  await world.until(() => settled, 'the outcome');
  return decided;
};

test('a publish whose answer is lost is found to be live and is not sent again', async () => {
  world = await startWorld();
  const { listingId } = await world.reviewed();
  await world.perform('publishListing', { params: { listingId } });
  await world.practice.fault({ method: 'POST', path: '/market/publish/{listingId}', times: 5, drop: 'after' });
  const done = await approvePending();
  expect(done.state).toBe('done');
  expect(done.outcome?.url).toMatch(/^http/);
  expect(await world.happened('publish')).toBe(1);
});

test('a publish that never arrived fails and can be requested again', async () => {
  world = await startWorld();
  const { listingId } = await world.reviewed();
  await world.perform('publishListing', { params: { listingId } });
  await world.practice.fault({ method: 'POST', path: '/market/publish/{listingId}', times: 1, drop: 'before' });
  const failed = await approvePending();
  expect(failed).toMatchObject({ state: 'failed', outcome: { code: 'NOT_DONE' } });
  expect(await world.happened('publish')).toBe(0);
  await world.perform('publishListing', { params: { listingId } });
  expect((await approvePending()).state).toBe('done');
  expect(await world.happened('publish')).toBe(1);
});

test('a service error during a publish leads to the outcome NOT_DONE', async () => {
  world = await startWorld();
  const { listingId } = await world.reviewed();
  await world.perform('publishListing', { params: { listingId } });
  await world.practice.fault({ method: 'POST', path: '/market/publish/{listingId}', times: 1, status: 502 });
  expect(await approvePending()).toMatchObject({ state: 'failed', outcome: { code: 'NOT_DONE' } });
});

test('an item continues automatically after the service was down', async () => {
  world = await startWorld();
  await world.practice.fault({ method: 'POST', path: '/listings', times: 6, status: 503 });
  const { itemIds } = await world.companion().add({ kind: 'paths', paths: [await world.folder('old radio')] });
  const seen = await world.until(
    () =>
      world
        .companion()
        .items.get(itemIds[0] ?? '')
        .words.includes('waiting for the service'),
    'the wait',
  );
  expect(seen).toBe(true);
  await world.item(itemIds[0] ?? '', 'review');
  expect(await world.happened('draft')).toBe(1);
});
