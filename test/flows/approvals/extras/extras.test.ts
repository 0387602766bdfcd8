import { afterEach, describe, expect, test } from 'vitest';
import type { InputOf } from '../../../../src/contract/index.ts';
import { pairAsker } from '../../../helpers/assistant.ts';
import { requestPrompt } from '../../../helpers/approvals/decisions.ts';
import { startGateway } from '../../../helpers/hosts/gateway.ts';
import { startWorld, type World } from '../../../helpers/world.ts';

let world: World;
afterEach(() => world.close());

/** Starts with a used-up plan and extras turned on. */
const startUsedUp = () => startWorld({ person: { plan: 'Lite', used: 30, extras: true } });
const readStanding = async () => {
  const outcome = await world.perform('readStanding', {});
  return (outcome.state === 'done' ? outcome.answer : {}) as {
    allowance: { extras: { rateCents: number; approval: { remaining: number } | null }; nextListing: { kind: string } };
  };
};
const dropOne = async (name: string) => {
  const { itemIds } = await world.companion().add({ kind: 'paths', paths: [await world.folder(name, 1)] });
  return itemIds[0] ?? '';
};
const waitForStop = (itemId: string) => world.until(() => world.companion().items.get(itemId).stop, 'the stop');

describe('paid extra listings', () => {
  test('a generation beyond the plan waits until the person sets extras aside', async () => {
    world = await startUsedUp();
    const itemId = await dropOne('over the plan');
    expect((await waitForStop(itemId)).code).toBe('WOULD_BE_EXTRA');
    expect(await world.happened('generation')).toBe(0);

    const { allowance } = await readStanding();
    await world.perform('approveExtras', { body: { count: 2, rateCents: allowance.extras.rateCents } });
    expect((await world.yes()).state).toBe('done');
    await world.companion().items.resume(itemId);
    await world.item(itemId, 'review');
    expect((await readStanding()).allowance.extras.approval?.remaining).toBe(1);
  });

  test('the number of generated listings never exceeds the number of extras set aside', async () => {
    world = await startUsedUp();
    const { allowance } = await readStanding();
    await world.perform('approveExtras', { body: { count: 2, rateCents: allowance.extras.rateCents } });
    await world.yes();
    const ids = [await dropOne('one'), await dropOne('two'), await dropOne('three'), await dropOne('four')];
    await world.until(
      () =>
        ids.every((id) => world.companion().items.get(id).stop || world.companion().items.get(id).step === 'review'),
      'all four',
    );
    const ends = ids.map((id) => world.companion().items.get(id).stop?.code ?? 'written');
    expect(ends.sort()).toEqual(['WOULD_BE_EXTRA', 'WOULD_BE_EXTRA', 'written', 'written']);
    expect(await world.happened('generation')).toBe(2);
  });

  test('a smaller number of extras chosen by the person leads to a new prompt', async () => {
    world = await startUsedUp();
    const { allowance } = await readStanding();
    const { rateCents } = allowance.extras;
    await world.perform('approveExtras', { body: { count: 10, rateCents } });
    const [asked] = world.companion().approvals.listPending();
    const lowered = await world.companion().approvals.lowerExtras(asked?.approvalId ?? '', asked?.digest ?? '', 3);
    expect(lowered).toMatchObject({
      state: 'pending',
      prompt: { act: 'Set aside 3 extra listings', money: { totalMinor: 3 * rateCents } },
    });
    await expect(world.companion().approvals.lowerExtras(lowered.approvalId, lowered.digest, 5)).rejects.toMatchObject({
      code: 'NOT_LOWER',
    });
    expect((await world.pressYes(asked?.approvalId ?? '', asked?.digest ?? '')).approvalId).toBe(lowered.approvalId);
    expect((await readStanding()).allowance.extras.approval).toBeNull();
    await world.pressYes(lowered.approvalId, lowered.digest);
    expect((await readStanding()).allowance.extras.approval?.remaining).toBe(3);
  });

  test('a smaller number of extras chosen in an expired prompt leads to no new prompt', async () => {
    world = await startUsedUp();
    const { rateCents } = (await readStanding()).allowance.extras;
    const shown = await requestPrompt(world, 'approveExtras', { body: { count: 10, rateCents } });
    world.clock.suspend(shown.expiresAt - world.clock.now());
    const { approvals } = world.companion();
    expect(await approvals.lowerExtras(shown.approvalId, shown.digest, 3)).toMatchObject({
      approvalId: shown.approvalId,
      state: 'expired',
    });
    expect(approvals.listPending()).toEqual([]);
  });

  test('a smaller number of extras ends the prompt if the assistant can no longer request extras', async () => {
    world = await startUsedUp();
    const { rateCents } = (await readStanding()).allowance.extras;
    const by = pairAsker(world, 'Demoted');
    const shown = await requestPrompt(world, 'approveExtras', { body: { count: 10, rateCents } }, by);
    world.companion().assistants.change(by.assistantId, { scope: 'draft' });
    const { approvals } = world.companion();
    expect(await approvals.lowerExtras(shown.approvalId, shown.digest, 3)).toMatchObject({
      state: 'superseded',
      outcome: { code: 'NOT_ALLOWED' },
    });
    expect(approvals.listPending()).toEqual([]);
  });
});

test('a checkout page is created after an approval and can be opened', async () => {
  world = await startWorld({ person: { plan: 'Free' } });
  await world.perform('createCheckoutToken', { body: { tier: 'lite' } });
  const done = await world.yes();
  expect(done).toMatchObject({ state: 'done', outcome: { url: expect.stringMatching(/^http/) as string } });
  const page = await fetch(done.outcome?.url ?? '');
  expect(page.status).toBe(200);
});

test('extras are turned on at the current rate and off again, each after an approval', async () => {
  world = await startWorld({ person: { plan: 'Lite' } });
  const { allowance } = await readStanding();
  await world.perform('setExtras', { body: { enabled: true, acknowledgedRateCents: allowance.extras.rateCents } });
  expect((await world.yes()).state).toBe('done');
  expect((await readStanding()).allowance.extras).toMatchObject({ enabled: true });
  await world.perform('setExtras', { body: { enabled: false } });
  expect((await world.yes()).state).toBe('done');
  expect((await readStanding()).allowance.extras).toMatchObject({ enabled: false });
});

test('the prompt to turn extras on or off shows whether they are on now', async () => {
  world = await startWorld({ person: { plan: 'Lite', extras: true, extrasReceipt: false } });
  const { rateCents } = (await readStanding()).allowance.extras;
  const readSwitch = async (body: InputOf<'setExtras'>['body']) => {
    const { prompt } = await requestPrompt(world, 'setExtras', { body });
    return prompt.changes.find(({ key }) => key === 'enabled');
  };
  expect(await readSwitch({ enabled: true, acknowledgedRateCents: rateCents })).toMatchObject({
    before: 'yes',
    after: 'yes',
  });
  expect(await readSwitch({ enabled: false })).toMatchObject({ before: 'yes', after: 'no' });
});

test('the person can turn extras off even if their current state cannot be read', async () => {
  world = await startWorld({ person: { plan: 'Lite', extras: true } });
  await world.practice.fault({ method: 'GET', path: '/agent/me', times: 9, status: 403, code: 'NOT_NOW' });
  await world.perform('setExtras', { body: { enabled: false } });
  expect((await world.yes()).state).toBe('done');
});

/** Starts with a gateway that rewrites the answers to these calls. */
const startRewritten = async (path: RegExp, to: (answer: string) => string) => {
  let at: string | null = null;
  world = await startWorld({ person: { plan: 'Free', trialEligible: false }, reach: () => at });
  const gateway = await startGateway(() => world.practice.url);
  gateway.rewrite.push({ call: path, to });
  at = gateway.url;
  return gateway;
};

const readCheckoutPrice = async (body: { tier: string }): Promise<string | null> => {
  const { prompt } = await requestPrompt(world, 'createCheckoutToken', { body });
  const fact = prompt.facts.find(({ namespace }) => namespace === 'account');
  return fact ? `${fact.label}: ${fact.value}` : null;
};

test('a checkout prompt shows the plan’s price for different formats of the plan list', async () => {
  const plans = [
    { name: 'Pro', priceMinor: 9_900, currency: 'EUR' },
    { planId: 'pro-yearly', name: 'Pro for a year', priceCents: 99_000, interval: 'year' },
  ];
  const gateway = await startRewritten(/GET \/agent\/plans/, () => JSON.stringify({ plans }));
  expect(await readCheckoutPrice({ tier: 'pro' })).toBe('Price per month: €99.00');
  expect(await readCheckoutPrice({ tier: 'pro-yearly' })).toBe('Price per year: US$990.00');
  // A plan that the list lacks has the price of the interface.
  expect(await readCheckoutPrice({ tier: 'lite' })).toBe('Price per month: US$14.99');
  gateway.close();
});

test('the list of products says whether the connected account can have a trial', async () => {
  world = await startWorld({ person: { plan: 'Free', trialEligible: false } });
  const outcome = await world.perform('listProducts', {});
  expect(outcome).toMatchObject({ state: 'done', answer: { trialEligible: false } });
});

test('extras that are on but unconfirmed can be set aside after the person turns them on again', async () => {
  world = await startWorld({ person: { plan: 'Lite', used: 30, extras: true, extrasReceipt: false } });
  const { rateCents } = (await readStanding()).allowance.extras;
  const aside = { body: { count: 2, rateCents } };
  await world.perform('approveExtras', aside);
  expect(await world.yes()).toMatchObject({ state: 'failed', outcome: { code: 'EXTRAS_ON_UNCONFIRMED' } });
  await world.perform('setExtras', { body: { enabled: true, acknowledgedRateCents: rateCents } });
  expect((await world.yes()).state).toBe('done');
  await world.perform('approveExtras', aside);
  expect((await world.yes()).state).toBe('done');
});
