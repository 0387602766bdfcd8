import { afterEach, describe, expect, test } from 'vitest';
import { pairAsker } from '../../helpers/assistant.ts';
import { startWorld, type World } from '../../helpers/world.ts';

let world: World;
afterEach(() => world.close());
const approveShown = ({ approvalId, digest }: { approvalId: string; digest: string }) =>
  world.pressYes(approvalId, digest);

describe('an approval covers exactly what the prompt showed', () => {
  test('a price changed after the prompt was shown leads to a new prompt', async () => {
    world = await startWorld();
    const shown = await world.asked();
    await world.perform('updateListing', { params: { listingId: shown.listingId }, body: { price: 9_900 } });
    const next = await approveShown(shown);
    expect(next).toMatchObject({
      state: 'pending',
      sinceShown: [{ label: 'Price', before: 'US$12.99', after: 'US$99.00' }],
    });
    expect(next.approvalId).not.toBe(shown.approvalId);
    expect(await world.happened('publish')).toBe(0);
    expect((await approveShown(next)).state).toBe('done');
    expect(await world.happened('publish')).toBe(1);
    expect((await approveShown(shown)).approvalId).toBe(next.approvalId);
  });

  test('an approval is refused if its digest is not the digest of the prompt', async () => {
    world = await startWorld();
    const { approvalId } = await world.asked();
    await expect(approveShown({ approvalId, digest: 'f'.repeat(64) })).rejects.toMatchObject({
      code: 'NOT_WHAT_WAS_SHOWN',
    });
    expect(await world.happened('publish')).toBe(0);
  });

  test('a publish approved in several windows at once is sent once', async () => {
    world = await startWorld();
    const shown = await world.asked();
    const both = await Promise.all([approveShown(shown), approveShown(shown), approveShown(shown)]);
    expect(both.map(({ state }) => state)).toEqual(['done', 'done', 'done']);
    expect(await world.happened('publish')).toBe(1);
  });

  test('an approval after the prompt has expired sends nothing', async () => {
    world = await startWorld();
    const shown = await world.asked();
    world.clock.advance(31 * 60_000);
    expect((await approveShown(shown)).state).toBe('expired');
    expect(await world.happened('publish')).toBe(0);
  });

  test('a prompt expires exactly at its expiry time', async () => {
    world = await startWorld();
    const { approvalId, expiresAt } = await world.asked();
    const { approvals } = world.companion();
    world.clock.suspend(expiresAt - world.clock.now() - 1);
    expect(approvals.listPending()).toMatchObject([{ approvalId }]);
    world.clock.suspend(1);
    expect(approvals.listPending()).toEqual([]);
    expect(approvals.readView(approvalId).state).toBe('expired');
  });

  test('an approval after a decline sends nothing', async () => {
    world = await startWorld();
    const { listingId } = await world.reviewed();
    const by = pairAsker(world, 'Eager');
    await world.companion().perform({ by, route: 'publishListing', input: { params: { listingId } } });
    const shown = world.companion().approvals.listPending()[0] ?? { approvalId: '', digest: '' };
    world.companion().approvals.decline(shown.approvalId, shown.digest, 'wrong_details');
    expect((await approveShown(shown)).state).toBe('declined');
    expect(await world.happened('publish')).toBe(0);
  });

  test('the person’s decline of their own request is recorded as a withdrawal', async () => {
    world = await startWorld();
    const shown = await world.asked();
    const { approvals, searchHistory } = world.companion();
    expect(approvals.decline(shown.approvalId, shown.digest, 'no')).toMatchObject({
      state: 'withdrawn',
      outcome: null,
    });
    const { approvalId } = shown;
    expect((await searchHistory.search({ q: '', limit: 1, approvalId })).rows).toMatchObject([
      { kind: 'approval.withdraw', facts: { by: 'person', why: 'no' } },
    ]);
    expect((await approveShown(shown)).state).toBe('withdrawn');
    expect(await world.happened('publish')).toBe(0);
  });
});

describe('the fee of a publish', () => {
  test('a fee that rose after the prompt was shown is not charged without a new prompt', async () => {
    world = await startWorld();
    const shown = await world.asked();
    await world.practice.control('POST', '/fees', { extraMinor: 15 });
    const next = await approveShown(shown);
    expect(next).toMatchObject({ state: 'pending', prompt: { yes: 'Publish for US$0.50' } });
    expect(next.sinceShown).toContainEqual({
      key: 'fee',
      label: 'Fee',
      labelSays: { key: 'facts.fee' },
      before: 'US$0.35',
      after: 'US$0.50',
    });
    expect(await world.happened('publish')).toBe(0);
    expect((await approveShown(next)).state).toBe('done');
    const charges = (await world.practice.journal()).filter(({ kind }) => kind === 'charge');
    expect(charges.map(({ amountMinor }) => amountMinor)).toEqual([50]);
  });

  test('if no fee quote is available at the approval, a new prompt without a fee is shown', async () => {
    world = await startWorld();
    // The first publish confirms the fee notice of the site.
    expect((await approveShown(await world.asked())).state).toBe('done');
    const { listingId } = await world.reviewed('brown boots');
    await world.perform('publishListing', { params: { listingId } });
    const [shown = expect.fail('No prompt is waiting.')] = world.companion().approvals.listPending();
    await world.practice.fault({
      method: 'POST',
      path: '/listings/{listingId}/channels/fees',
      times: 2,
      status: 429,
      headers: { 'retry-after': '3600' },
    });
    const next = await approveShown(shown);
    expect(next).toMatchObject({ state: 'pending', prompt: { money: { state: 'unavailable' } } });
    expect(await world.happened('publish')).toBe(1);
    expect((await approveShown(next)).state).toBe('done');
  });

  test('a publish is shown as free on a site that charges no fee', async () => {
    world = await startWorld({ person: { site: 'MKT_DE' } });
    const { prompt } = await world.asked();
    expect(prompt).toMatchObject({ act: 'Publish on the German site', yes: 'Publish free', money: { state: 'free' } });
  });

  test('if the fee is unknown, the prompt and its approve button say so', async () => {
    world = await startWorld();
    await world.practice.fault({
      method: 'POST',
      path: '/listings/{listingId}/channels/fees',
      times: 20,
      status: 429,
      headers: { 'retry-after': '3600' },
    });
    const { prompt } = await world.asked();
    expect(prompt).toMatchObject({ yes: 'Publish, fee unknown', money: { state: 'unavailable' } });
    expect(prompt.money?.reason).toBeTruthy();
  });

  test('only the first publish on a site shows and confirms the fee notice', async () => {
    world = await startWorld();
    const first = await world.asked();
    expect(first.prompt.feeNotice).toContain('the US site');
    expect((await approveShown(first)).state).toBe('done');
    expect(await world.happened('fee_confirmed')).toBe(1);
    const { listingId } = await world.reviewed('second thing');
    await world.perform('publishListing', { params: { listingId } });
    const [second] = world.companion().approvals.listPending();
    expect(second?.prompt.feeNotice).toBeNull();
  });
});

test('a publish refused by the marketplace reports the code of the refusal and can be repeated', async () => {
  world = await startWorld();
  const shown = await world.asked();
  await world.practice.fault({
    method: 'POST',
    path: '/market/publish/{listingId}',
    times: 1,
    status: 409,
    code: 'MISSING_PACKAGE_WEIGHT',
  });
  expect(await approveShown(shown)).toMatchObject({ state: 'failed', outcome: { code: 'MISSING_PACKAGE_WEIGHT' } });
  await world.perform('publishListing', { params: { listingId: shown.listingId } });
  const [again] = world.companion().approvals.listPending();
  expect((await approveShown(again ?? shown)).state).toBe('done');
});

test('a publish that the listing itself blocks reports the code and the field of the blocker', async () => {
  world = await startWorld();
  const { listingId } = await world.reviewed('paperback book');
  await world.perform('updateListing', { params: { listingId }, body: { condition: 'FOR_PARTS' } });
  await expect(world.perform('publishListing', { params: { listingId } })).rejects.toMatchObject({
    code: 'CONDITION_NOT_ALLOWED',
    field: 'condition',
  });
  expect(world.companion().approvals.listPending()).toEqual([]);
});

test('an ask-first request needs an approval even if the person makes it', async () => {
  world = await startWorld();
  const { listingId } = await world.reviewed();
  for (const [route, input] of [
    ['deleteListing', { params: { listingId } }],
    ['updateListing', { params: { listingId }, body: { bestOffer: { enabled: true } } }],
    ['disconnectMarket', {}],
    ['revokeCurrentKey', {}],
    ['setExtras', { body: { enabled: false } }],
    ['quoteFees', { params: { listingId }, body: { action: 'confirm', marketplaceId: 'MKT_US' } }],
  ] as const) {
    expect((await world.companion().perform({ by: { kind: 'person' }, route, input })).state, route).toBe('pending');
  }
  expect(world.companion().approvals.listPending()).toHaveLength(6);
});

test('the ledger records the steps of a publish in order and detects a tampered row', async () => {
  world = await startWorld();
  const shown = await world.asked();
  await approveShown(shown);
  await world.stop();
  const { default: Database } = await import('better-sqlite3');
  const { createLedger } = await import('../../../src/core/approvals/ledger/ledger.ts');
  const db = new Database(`${world.dataDir}/companion.db`);
  const kinds = Array.from(createLedger(db).after(0), ({ kind }) => kind);
  expect(kinds).toEqual([
    'ledger.key',
    'connection.made',
    'approval.asked',
    'window.opened_alone',
    'approval.shown',
    'approval.approve',
    'approval.first_sent',
    'approval.send',
    'approval.answer',
    'approval.checked',
  ]);
  expect(createLedger(db).findFirstBroken()).toBeNull();
  expect(() => db.exec(`update ledger set kind = 'nothing' where seq = 2`)).toThrow('only grows');
  db.exec(`drop trigger ledger_keeps; update ledger set facts = '{}' where seq = 2`);
  expect(createLedger(db).findFirstBroken()).toBe(2);
  db.close();
});

test('a publish request repeated after an edit leads to a prompt with the new price', async () => {
  world = await startWorld();
  const shown = await world.asked();
  await world.perform('updateListing', { params: { listingId: shown.listingId }, body: { price: 2_000 } });
  const again = await world.perform('publishListing', { params: { listingId: shown.listingId } });
  const [waiting, ...others] = world.companion().approvals.listPending();
  expect(others).toEqual([]);
  expect(again).toMatchObject({ state: 'pending', approvalId: waiting?.approvalId });
  expect(waiting?.prompt.facts.find(({ key }) => key === 'price')).toMatchObject({
    label: 'Price',
    value: 'US$20.00',
  });
});

test('a read of an unchanged listing emits no change event', async () => {
  world = await startWorld();
  const { listingId } = await world.reviewed();
  await world.listing(listingId);
  const topics: string[] = [];
  world.companion().onChanged((topic) => topics.push(topic));
  await world.listing(listingId);
  expect(topics).toEqual([]);
});
