import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import * as z from 'zod';
import type { InputOf, RouteName } from '../../../src/contract/index.ts';
import type { ApprovalView, PromptFact } from '../../../src/core/storage/tables/approvalRecord.ts';
import { formatFieldValue } from '../../../src/core/approvals/prompts/values.ts';
import { findNameLikeness } from '../../../src/core/base/similarNames.ts';
import { core } from '../../../src/i18n/english.ts';
import { pairAsker } from '../../helpers/assistant.ts';
import { holdRequest } from '../../helpers/approvals/decisions.ts';
import { waitUntil } from '../../helpers/testClock.ts';
import { connectCorner } from '../../helpers/practice/channels.ts';
import { startWorld, type World } from '../../helpers/world.ts';
import type { Asker, Outcome } from '../../../src/core/base/request.ts';

let world: World;
let helper: Asker;
beforeEach(async () => {
  world = await startWorld();
  helper = pairAsker(world, 'Tidy Helper');
});
afterEach(() => world.close());

const askByHelper = <N extends RouteName>(route: N, input: InputOf<N>): Promise<Outcome> =>
  world.companion().perform({ by: helper, route, input });
const readShown = (): ApprovalView => {
  const [waiting] = world.companion().approvals.listPending();
  if (!waiting) throw new Error('No prompt is waiting.');
  return waiting;
};
const listValues = ({ prompt }: ApprovalView, wanted: PromptFact['namespace']): string[] =>
  prompt.facts.filter(({ namespace }) => namespace === wanted).map(({ value }) => value);
const approveShown = ({ approvalId, digest }: ApprovalView) => world.pressYes(approvalId, digest);
const readKey = async () => (await world.secrets.get('agent-key practice')) ?? '';
/** Calls the service directly, as another program of the person would. */
const callService = async (method: string, path: string, body?: object) =>
  (await world.practice.call(await readKey(), method, path, body)).body;
const readUserId = async () => z.object({ userId: z.string() }).parse(await callService('GET', '/auth/me')).userId;
const createTemplate = async (facts: object) =>
  z.object({ templateId: z.string() }).parse(await callService('POST', '/market/templates/create', facts)).templateId;

describe('templates', () => {
  test('a template is found by its own id, not by an id inside another template', async () => {
    const decoy = await createTemplate({ name: 'Old junk' });
    const wanted = await createTemplate({ name: 'My best template' });
    await callService('PUT', `/market/templates/${decoy}`, {
      name: 'Old junk',
      note: wanted,
      inner: { templateId: wanted, name: 'Old junk' },
    });
    await askByHelper('deleteTemplate', { params: { templateId: wanted } });
    expect(readShown().prompt.target?.title).toBe('My best template');
  });

  test('a publish prompt shows the policies of the template, and a changed policy leads to a new prompt', async () => {
    const createPolicy = async (name: string, flatMinor: number) => {
      const of = {
        userId: await readUserId(),
        marketplaceId: 'MKT_US',
        kind: 'fulfillment',
        name,
        postage: 'flat',
        flatMinor,
      };
      return z.object({ policyId: z.string() }).parse(await world.practice.control('POST', '/policies', of)).policyId;
    };
    const [cheap, dear] = [await createPolicy('Cheap', 100), await createPolicy('Dear', 9_900)];
    const templateId = await createTemplate({ name: 'Small things', fulfillmentPolicyId: cheap });
    const listingId = await world.practice.written(await readKey(), { templateId });
    await askByHelper('publishListing', { params: { listingId } });
    const first = readShown();
    const matchName = (name: string): unknown => expect.stringContaining(`“${name}”`);
    expect(listValues(first, 'templates')).toEqual(expect.arrayContaining(['Small things', matchName('Cheap')]));
    expect(listValues(first, 'policies')).toContainEqual(expect.stringMatching(/^“Cheap”.*\(from the template\)$/));
    await callService('PUT', `/market/templates/${templateId}`, { name: 'Small things', fulfillmentPolicyId: dear });
    expect((await approveShown(first)).state).toBe('pending');
    expect(listValues(readShown(), 'templates')).toContainEqual(matchName('Dear'));
    expect(readShown().sinceShown).toContainEqual(
      expect.objectContaining({ label: 'Shipping policy', before: matchName('Cheap'), after: matchName('Dear') }),
    );
  });
});

test('if the account’s policies cannot be read, the prompt says that they still apply', async () => {
  const { listingId } = await world.reviewed();
  await world.practice.control('POST', '/budgets', { userId: await readUserId(), quota: 'account', used: 999_999 });
  await askByHelper('publishListing', { params: { listingId } });
  expect(listValues(readShown(), 'policies')).toEqual([
    ...Array<string>(3).fill('chosen by the service'),
    'could not be read; your account’s own apply',
  ]);
});

test('an assistant’s reads of policies are answered from the cache for one minute', async () => {
  const readPolicies = () => askByHelper('listPolicies', {});
  expect(await readPolicies()).toMatchObject({ source: 'service' });
  expect(await readPolicies()).toMatchObject({ source: 'cache' });
  world.clock.advance(61_000);
  expect(await readPolicies()).toMatchObject({ source: 'service' });
});

describe('comparison of a live listing with its approved publish', () => {
  /** Returns the differences that are reported if the listing changes before it is live, or before it is read. */
  const listDifferences = async (when: 'before' | 'after', act: (listingId: string) => Promise<unknown>) => {
    const { listingId } = await world.reviewed();
    await world.perform('updateListing', { params: { listingId }, body: { quantity: 5, packageWeightGrams: 500 } });
    await askByHelper('publishListing', { params: { listingId } });
    const { approvalId, digest } = readShown();
    const publish = await holdRequest(world, 'POST', '/market/publish/{listingId}');
    const going = world.pressYes(approvalId, digest);
    await publish.arrived();
    if (when === 'after') {
      await world.practice.fault({ method: 'GET', path: '/listings/{listingId}', delayMs: 500 });
      await publish.go();
      await waitUntil(async () => (await world.happened('publish')) > 0, 'the publish');
    }
    await act(listingId);
    if (when === 'before') await publish.go();
    return (await going).differences.map(({ label, before, after }) => [label, before, after]);
  };

  test('a live listing with another weight, quantity, SKU or location than approved is reported', async () => {
    const others = { packageWeightGrams: 29_000, quantity: 1, sku: 'B', location: { country: 'CN', postalCode: '1' } };
    const differences = await listDifferences('before', (listingId) =>
      callService('PUT', `/listings/${listingId}`, others),
    );
    expect(differences).toEqual(
      expect.arrayContaining([
        ['Quantity', '5', '1'],
        ['Packed weight', '1 lb 1.6 oz (500 g)', '63 lb 14.9 oz (29000 g)'],
        ['SKU', '', 'B'],
        ['Location', '', '{"country":"CN","postalCode":"1"}'],
      ]),
    );
  });

  test('a sale right after a publish is not reported as a difference from the approved listing', async () => {
    const sellTwo = (listingId: string) => world.practice.control('POST', '/sales', { listingId, quantity: 2 });
    expect(await listDifferences('after', sellTwo)).toEqual([]);
  });
});

test('the prompt to end a listing on another channel says that the marketplace is unaffected', async () => {
  const listingId = await world.practice.live(await readKey());
  await connectCorner(world.practice, await readKey());
  await callService('POST', `/listings/${listingId}/channels/publish`, { channels: ['corner'] });
  await askByHelper('endChannels', { params: { listingId }, body: { channels: ['corner'] } });
  expect(readShown().prompt).toMatchObject({
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

test('the label of each condition or format begins with the words of its code, such as “Very old” for VERY_OLD', () => {
  const codes = Object.keys(core.values).filter((name) => /^[A-Z][A-Z0-9_]*$/.test(name));
  const wordsOf = (text: string): string[] => text.toLowerCase().match(/[a-z]+/g) ?? [];
  for (const code of codes) {
    const [words, own] = [wordsOf(formatFieldValue('condition', code).text), wordsOf(code)];
    expect(words.slice(0, own.length)).toEqual(own);
  }
  for (const name of Object.keys(core.values).filter((one) => !codes.includes(one)))
    expect(formatFieldValue('condition', name)).toEqual({ text: name });
});
