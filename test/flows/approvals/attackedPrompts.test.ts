import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import * as z from 'zod';
import type { InputOf, RouteName } from '../../../src/contract/index.ts';
import type { ApprovalView, PromptFact } from '../../../src/core/storage/tables/approvalRecord.ts';
import { formatFieldValue } from '../../../src/core/approvals/prompts/values.ts';
import { findNameLikeness } from '../../../src/core/base/similarNames.ts';
import { core } from '../../../src/i18n/english.ts';
import { pairedAsker } from '../../helpers/assistant.ts';
import { held } from '../../helpers/approvals/decisions.ts';
import { settled } from '../../helpers/testClock.ts';
import { connectCorner } from '../../helpers/practice/channels.ts';
import { startWorld, type World } from '../../helpers/world.ts';
import type { Asker, Outcome } from '../../../src/core/base/request.ts';

let world: World;
let helper: Asker;
beforeEach(async () => {
  world = await startWorld();
  helper = pairedAsker(world, 'Tidy Helper');
});
afterEach(() => world.close());

const ask = <N extends RouteName>(route: N, input: InputOf<N>): Promise<Outcome> =>
  world.companion().perform({ by: helper, route, input });
const shown = (): ApprovalView => {
  const [waiting] = world.companion().approvals.listPending();
  if (!waiting) throw new Error('No prompt is waiting.');
  return waiting;
};
const valuesIn = ({ prompt }: ApprovalView, wanted: PromptFact['namespace']): string[] =>
  prompt.facts.filter(({ namespace }) => namespace === wanted).map(({ value }) => value);
const yes = ({ approvalId, digest }: ApprovalView) => world.companion().approvals.approve(approvalId, digest);
const key = async () => (await world.secrets.get('agent-key practice')) ?? '';
/** Calls the service directly, as another program of the person would. */
const elsewhere = async (method: string, path: string, body?: object) =>
  (await world.practice.call(await key(), method, path, body)).body;
const userId = async () => z.object({ userId: z.string() }).parse(await elsewhere('GET', '/auth/me')).userId;
const templateOf = async (facts: object) =>
  z.object({ templateId: z.string() }).parse(await elsewhere('POST', '/market/templates/create', facts)).templateId;

describe('templates', () => {
  test('a template is found by its own id, not by an id inside another template', async () => {
    const decoy = await templateOf({ name: 'Old junk' });
    const wanted = await templateOf({ name: 'My best template' });
    await elsewhere('PUT', `/market/templates/${decoy}`, {
      name: 'Old junk',
      note: wanted,
      inner: { templateId: wanted, name: 'Old junk' },
    });
    await ask('deleteTemplate', { params: { templateId: wanted } });
    expect(shown().prompt.target?.title).toBe('My best template');
  });

  test('a publish prompt shows the template’s policies, and a changed policy leads to a new prompt', async () => {
    const policy = async (name: string, flatMinor: number) => {
      const of = {
        userId: await userId(),
        marketplaceId: 'MKT_US',
        kind: 'fulfillment',
        name,
        postage: 'flat',
        flatMinor,
      };
      return z.object({ policyId: z.string() }).parse(await world.practice.control('POST', '/policies', of)).policyId;
    };
    const [cheap, dear] = [await policy('Cheap', 100), await policy('Dear', 9_900)];
    const templateId = await templateOf({ name: 'Small things', fulfillmentPolicyId: cheap });
    const listingId = await world.practice.written(await key(), { templateId });
    await ask('publishListing', { params: { listingId } });
    const first = shown();
    const named = (name: string): unknown => expect.stringContaining(`“${name}”`);
    expect(valuesIn(first, 'templates')).toEqual(expect.arrayContaining(['Small things', named('Cheap')]));
    expect(valuesIn(first, 'policies')).toContainEqual(expect.stringMatching(/^“Cheap”.*\(from the template\)$/));
    await elsewhere('PUT', `/market/templates/${templateId}`, { name: 'Small things', fulfillmentPolicyId: dear });
    expect((await yes(first)).state).toBe('pending');
    expect(valuesIn(shown(), 'templates')).toContainEqual(named('Dear'));
    expect(shown().sinceShown).toContainEqual(
      expect.objectContaining({ label: 'Shipping policy', before: named('Cheap'), after: named('Dear') }),
    );
  });
});

test('a prompt says that the account’s policies apply although they could not be read', async () => {
  const { listingId } = await world.reviewed();
  await world.practice.control('POST', '/budgets', { userId: await userId(), quota: 'account', used: 999_999 });
  await ask('publishListing', { params: { listingId } });
  expect(valuesIn(shown(), 'policies')).toEqual([
    ...Array<string>(3).fill('chosen by the service'),
    'could not be read; your account’s own apply',
  ]);
});

test('an assistant’s reads of policies are answered from the cache for one minute', async () => {
  const read = () => ask('listPolicies', {});
  expect(await read()).toMatchObject({ source: 'service' });
  expect(await read()).toMatchObject({ source: 'cache' });
  world.clock.advance(61_000);
  expect(await read()).toMatchObject({ source: 'service' });
});

describe('comparison of a live listing with its approved publish', () => {
  /** The differences that are reported if the listing changes before it is live, or before it is read. */
  const told = async (when: 'before' | 'after', act: (listingId: string) => Promise<unknown>) => {
    const { listingId } = await world.reviewed();
    await world.perform('updateListing', { params: { listingId }, body: { quantity: 5, packageWeightGrams: 500 } });
    await ask('publishListing', { params: { listingId } });
    const { approvalId, digest } = shown();
    const publish = await held(world, 'POST', '/market/publish/{listingId}');
    const going = world.companion().approvals.approve(approvalId, digest);
    await publish.arrived();
    if (when === 'after') {
      await world.practice.fault({ method: 'GET', path: '/listings/{listingId}', delayMs: 500 });
      await publish.go();
      await settled(async () => (await world.happened('publish')) > 0, 'the publish');
    }
    await act(listingId);
    if (when === 'before') await publish.go();
    return (await going).differences.map(({ label, before, after }) => [label, before, after]);
  };

  test('a changed weight, quantity, SKU or location is reported as a difference', async () => {
    const others = { packageWeightGrams: 29_000, quantity: 1, sku: 'B', location: { country: 'CN', postalCode: '1' } };
    const differences = await told('before', (listingId) => elsewhere('PUT', `/listings/${listingId}`, others));
    expect(differences).toEqual(
      expect.arrayContaining([
        ['Quantity', '5', '1'],
        ['Packed weight in grams', '500', '29000'],
        ['SKU', '', 'B'],
        ['Location', '', '{"country":"CN","postalCode":"1"}'],
      ]),
    );
  });

  test('a sale right after the publish is not reported as a difference', async () => {
    const sale = (listingId: string) => world.practice.control('POST', '/sales', { listingId, quantity: 2 });
    expect(await told('after', sale)).toEqual([]);
  });
});

test('the prompt to end a listing on another channel says that the marketplace is unaffected', async () => {
  const listingId = await world.practice.live(await key());
  await connectCorner(world.practice, await key());
  await elsewhere('POST', `/listings/${listingId}/channels/publish`, { channels: ['corner'] });
  await ask('endChannels', { params: { listingId }, body: { channels: ['corner'] } });
  expect(shown().prompt).toMatchObject({
    consequence: 'It comes off that channel. Nothing changes on the marketplace.',
    final: true,
  });
});

test('an assistant name that imitates the person or the companion is flagged', () => {
  expect(
    ['You', 'Y0u', 'Listing Companion', 'the person', 'Vous', 'Command line'].map((name) => findNameLikeness(name, [])),
  ).toEqual(Array(6).fill({ kind: 'reserved' }));
  expect(findNameLikeness('Command line', ['command-Iine'], true)).toEqual({ kind: 'assistant', name: 'command-Iine' });
  expect(findNameLikeness('Tidy Helper', [])).toBeNull();
});

test('the label of each condition and format code begins with the code’s own words', () => {
  const codes = Object.keys(core.values).filter((name) => /^[A-Z][A-Z0-9_]*$/.test(name));
  const wordsOf = (text: string): string[] => text.toLowerCase().match(/[a-z]+/g) ?? [];
  for (const code of codes) {
    const [words, own] = [wordsOf(formatFieldValue('condition', code, null).text), wordsOf(code)];
    expect(words.slice(0, own.length)).toEqual(own);
  }
  for (const name of Object.keys(core.values).filter((one) => !codes.includes(one)))
    expect(formatFieldValue('condition', name, null)).toEqual({ text: name });
});
