import { afterEach, beforeEach, expect, test } from 'vitest';
import { startWorld, type World } from '../../helpers/world.ts';

let world: World;
beforeEach(async () => {
  world = await startWorld();
});
afterEach(() => world.close());

test('the prompt of a repair names the problem that will be repaired', async () => {
  const { listingId } = await world.reviewed();
  const params = { listingId };
  await world.perform('publishListing', { params, body: { autoDelistOnSale: true } });
  await world.practice.fault({
    method: 'POST',
    path: '/market/publish/{listingId}',
    status: 400,
    code: 'MISSING_POLICIES',
  });
  const refused = await world.yes();
  expect(refused).toMatchObject({ state: 'failed', body: { autoDelistOnSale: true } });
  await world.perform('publishListing', { params, body: { ...refused.body, fix: true } });
  const [asked] = world.companion().approvals.listPending();
  if (!asked) throw new Error('No prompt is pending.');
  const { prompt } = asked;
  expect(prompt.yes).toBe('Repair and publish for US$0.35');
  expect(prompt.consequence).toContain('The service first repairs the problem named below');
  expect(prompt.facts).toContainEqual(
    expect.objectContaining({
      label: 'To be repaired',
      value: 'Shipping, payment or return policies for this site are missing, or the service has an old copy of them.',
    }),
  );
  expect(await world.yes()).toMatchObject({ state: 'done' });
});

test('the prompt of a repair names no problem if no repairable refusal is known', async () => {
  const { listingId } = await world.reviewed();
  const params = { listingId };
  await world.perform('publishListing', { params, body: { fix: true } });
  const [asked] = world.companion().approvals.listPending();
  expect(asked?.prompt.consequence).toBe(
    'If the service can repair what the last publish was refused for, it does that first on your marketplace account; it may create or renew policies there. Then the listing goes live at once, for everybody to see and buy.',
  );
  expect(asked?.prompt.facts).toContainEqual(
    expect.objectContaining({
      label: 'To be repaired',
      value: 'The companion has seen no refusal of this listing. If there was one, the service repairs what it can.',
    }),
  );
  await world.practice.fault({
    method: 'POST',
    path: '/market/publish/{listingId}',
    status: 400,
    code: 'MARKET_REFUSED',
  });
  expect(await world.yes()).toMatchObject({ state: 'failed' });
  await world.perform('publishListing', { params, body: { fix: true } });
  const [again] = world.companion().approvals.listPending();
  expect(again?.prompt.consequence).toContain('If the service can repair what the last publish was refused for');
  expect(await world.yes()).toMatchObject({ state: 'done' });
});
