import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { routeNames, getRouteByName, type RawInput, type RouteName } from '../../../src/contract/index.ts';
import { promptedRoutes } from '../../../src/core/approvals/prompts/index.ts';
import { listPromptCases } from '../../helpers/approvals/listPromptCases.ts';
import { promptTranslators } from '../../helpers/approvals/formatPromptLines.ts';
import { startWorld, type World } from '../../helpers/world.ts';
import { formatEnglishMessage } from '../../../src/i18n/english.ts';

let world: World;
beforeEach(async () => {
  world = await startWorld({ person: { extras: true } });
});
afterEach(() => world.close());

/** Routes that need an approval by the companion's own rules, not by the interface. */
const byRule = ['generateListing', 'updateUserNotificationPreferences', 'updatePushPreferences'];

test('every ask-first route has a prompt', () => {
  const asking = routeNames.filter(
    (name) => getRouteByName(name).askFirst || (getRouteByName(name).askFirstWhen ?? []).length > 0,
  );
  expect([...promptedRoutes].sort()).toEqual([...asking, ...byRule].sort());
  expect(asking).toHaveLength(26);
});

const readPrompt = async (route: RouteName, input: RawInput) => {
  const asked = await world.companion().perform({ by: { kind: 'person' }, route, input });
  expect(asked.state).toBe('pending');
  const [shown] = world.companion().approvals.listPending();
  if (!shown) throw new Error('No prompt.');
  return shown.prompt;
};

const cases = listPromptCases(
  () => world,
  async (person) => {
    await world.close();
    world = await startWorld({ person });
  },
);

describe('the content of each prompt', () => {
  test.each(cases)(
    'the prompt of %s names the act, its consequence and whether it is final',
    async (route, input, expected) => {
      const prompt = await readPrompt(route, await input());
      expect(prompt).toMatchObject({ act: expected.act, yes: expected.yes, final: expected.final });
      expect(prompt.final).toBe(prompt.undo === 'This cannot be undone.');
      expect(prompt.consequence).toMatch(/\.$/);
      // Each sentence also exists as a key with values, so that it can be translated.
      for (const part of ['act', 'consequence', 'undo', 'yes'] as const)
        expect(formatEnglishMessage(prompt.says?.[part] ?? { key: part })).toBe(prompt[part]);
      if (expected.shows) expect(JSON.stringify(prompt)).toContain(expected.shows);
      // The texts name the sites; only `says` has their codes.
      const { says: _says, facts, changes, ...rest } = prompt;
      const words = [...facts.map(({ value }) => value), ...changes.flatMap(({ before, after }) => [before, after])];
      expect(JSON.stringify([rest, words])).not.toMatch(/MKT_[A-Z]{2}/);
    },
  );

  test('these tests cover every route with a prompt except two with their own tests', () => {
    const covered = new Set(cases.map(([route]) => route));
    expect(promptedRoutes.filter((route) => !covered.has(route)).sort()).toEqual(['approveExtras', 'generateListing']);
  });
});

describe('weights in prompts', () => {
  /** Returns the weights of a listing under review that the prompt for its publish shows, in English and German. */
  const readWeights = async (packageWeightGrams: number) => {
    const { listingId } = await world.reviewed();
    await world.perform('updateListing', { params: { listingId }, body: { packageWeightGrams } });
    const asked = await world.perform('publishListing', { params: { listingId } });
    if (asked.state !== 'pending') throw new Error('No prompt was requested.');
    const { prompt } = world.companion().approvals.readView(asked.approvalId);
    const weight = prompt.facts.find(({ namespace, key }) => namespace === 'listing' && key === 'packageWeightGrams');
    return [weight?.label, weight?.value, weight?.says && promptTranslators.de(weight.says)];
  };

  test('a listing in the United States shows pounds and ounces, and in brackets the grams that are sent', async () => {
    expect(await readWeights(567)).toEqual(['Packed weight', '1 lb 4 oz (567 g)', '1 lb 4 oz (567 g)']);
    expect(await readWeights(1_180)).toEqual(['Packed weight', '2 lb 9.6 oz (1180 g)', '2 lb 9,6 oz (1180 g)']);
  });

  test('a listing in Germany shows grams, and round kilograms with the grams in brackets', async () => {
    await world.close();
    world = await startWorld({ person: { site: 'MKT_DE' } });
    expect(await readWeights(567)).toEqual(['Packed weight', '567 g', '567 g']);
    expect(await readWeights(1_250)).toEqual(['Packed weight', '1.25 kg (1250 g)', '1,25 kg (1250 g)']);
  });
});

describe('prompts for extras', () => {
  const readRate = async (): Promise<number> => {
    const outcome = await world.perform('readStanding', {});
    const { allowance } = (outcome.state === 'done' ? outcome.answer : {}) as {
      allowance: { extras: { rateCents: number } };
    };
    return allowance.extras.rateCents;
  };

  test('the prompt for extra listings shows the current rate and the maximum cost', async () => {
    const rateCents = await readRate();
    const prompt = await readPrompt('approveExtras', { body: { count: 3, rateCents } });
    expect(prompt).toMatchObject({
      act: 'Set aside 3 extra listings',
      money: { totalMinor: 3 * rateCents, currency: 'USD' },
    });
    expect(prompt.yes).toBe(`Approve up to US$${((3 * rateCents) / 100).toFixed(2)}`);
  });

  test('a request for extras at an outdated rate is refused without a prompt', async () => {
    const wrong = (await readRate()) + 1;
    await expect(world.perform('approveExtras', { body: { count: 1, rateCents: wrong } })).rejects.toMatchObject({
      code: 'RATE_CHANGED',
    });
    await expect(
      world.perform('setExtras', { body: { enabled: true, acknowledgedRateCents: wrong } }),
    ).rejects.toMatchObject({ code: 'RATE_CHANGED' });
    expect(world.companion().approvals.listPending()).toEqual([]);
  });
});

test('a request that the listing’s state does not allow is refused without a prompt', async () => {
  const { listingId } = await world.reviewed();
  await expect(world.perform('endListing', { params: { listingId } })).rejects.toMatchObject({ code: 'WRONG_STATE' });
  await expect(world.perform('reviseListing', { params: { listingId }, body: { price: 1 } })).rejects.toMatchObject({
    code: 'WRONG_STATE',
  });
  expect(world.companion().approvals.listPending()).toEqual([]);
});
