import fc from 'fast-check';
import { expect, test } from 'vitest';
import { listing as listingShape, parseRouteInput, policyFields, policyKinds } from '../../../../src/contract/index.ts';
import { renderPrompt, gatherBoundSubject } from '../../../../src/core/approvals/prompts/index.ts';
import type { Reads } from '../../../../src/core/approvals/prompts/promptDefinition.ts';
import { Problem } from '../../../../src/core/base/problem.ts';
import { Refusal } from '../../../../src/practice/refusal.ts';
import { chooseMarketAccountId, choosePublishPolicies } from '../../../../src/practice/world/listings/publish.ts';
import { toApiPolicy, type Policy } from '../../../../src/practice/world/marketAccount.ts';

const site = 'MKT_US';
/** Policies of every kind on two sites. Each name contains the id, so that tests can tell the policies apart. */
const policySet = fc
  .array(
    fc.record({ kind: fc.constantFrom(...policyKinds), marketplaceId: fc.constantFrom(site, site, site, 'MKT_DE') }),
    {
      minLength: 0,
      maxLength: 9,
    },
  )
  .map((more) =>
    // The first three policies have one kind each.
    [...policyKinds.map((kind) => ({ kind, marketplaceId: site })), ...more].map(
      ({ kind, marketplaceId }, at): Policy => {
        const policyId = `pol_${at}`;
        return { policyId, userId: 'u_1', marketplaceId, kind, name: `Policy ${at} of ${kind}`, facts: {} };
      },
    ),
  );
/** Usually the first policy of the kind, sometimes any policy. */
const idOf = (first: number) =>
  fc.oneof({ weight: 5, arbitrary: fc.constant(first) }, fc.integer({ min: 0, max: 8 })).map((at) => `pol_${at}`);
/** The policies that a request, a template or the defaults name; often none. */
const naming = fc.oneof(
  fc.constant({}),
  fc.record({ fulfillmentPolicyId: idOf(0), paymentPolicyId: idOf(1), returnPolicyId: idOf(2) }, { requiredKeys: [] }),
) as fc.Arbitrary<Partial<Record<(typeof policyFields)[keyof typeof policyFields], string>>>;
const account = fc.constantFrom('m_1', 'm_2');
const given = fc.record({
  all: policySet,
  request: naming,
  template: fc.option(naming),
  defaults: naming,
  asked: fc.option(account, { nil: undefined }),
  ofListing: fc.option(account),
  channels: fc.constantFrom<string[] | undefined>(undefined, ['market'], ['market', 'corner'], ['corner', 'market']),
});
type Given = typeof given extends fc.Arbitrary<infer T> ? T : never;

const listingOf = ({ template, ofListing }: Given) =>
  listingShape.parse({
    listingId: 'lst_1',
    status: 'pending_review',
    title: 'A fox',
    marketplaceId: site,
    marketAccountId: ofListing,
    templateId: template === null ? null : 't_1',
  });

/** A service with these policies, which answers like the practice service. */
const readsOf = (world: Given): Reads => ({
  listing: async () => listingOf(world),
  photos: async () => [],
  confirmedSites: () => [],
  fees: async () => ({ answer: { quote: { state: 'free' }, feeNotice: { confirmedSites: [site] } }, quotedAt: 1 }),
  policies: async (of) => ({
    policies: world.all.filter(({ marketplaceId }) => of === null || marketplaceId === of).map(toApiPolicy),
  }),
  channels: async () => ({ channels: [] }),
  category: async () => ({ categories: [] }),
  lastRefusal: () => null,
  user: async () => ({ autoDelistDefault: false }),
  emailPreferences: async () => ({}),
  plain: (async (route: string) =>
    ({
      listTemplates: { templates: [{ ...world.template, name: 'Books', templateId: 't_1' }] },
      listMarketAccounts: { accounts: [{ marketAccountId: 'm_1', name: 'Seller one' }] },
      listChannels: { channels: [{ channelId: 'corner', name: 'Corner shop' }] },
      listConnections: { connections: [{ channelId: 'corner', connectionId: 'c_1' }] },
      readSellerDefaults: world.defaults,
    })[route]) as Reads['plain'],
  extras: () => [],
  wentLive: () => false,
  now: () => 1,
});

const nullIfRefused = async <T>(work: () => T | Promise<T>): Promise<T | null> => {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Problem || error instanceof Refusal) return null;
    throw error;
  }
};

/** Renders the prompt of the request; null if the request is refused. */
const promptOf = async (world: Given) => {
  const { request, asked, channels } = world;
  const body = { ...request, ...(asked && { marketAccountId: asked }), ...(channels && { channels }) };
  const parsed = parseRouteInput('publishChannels', { params: { listingId: 'lst_1' }, body });
  if (!parsed.ok) throw new Error('The request is invalid.');
  const input = { route: 'publishChannels' as const, input: parsed.input, account: 'a', askerId: 'p', key: 'k' };
  const read = await nullIfRefused(() => gatherBoundSubject(input, 'assistant', readsOf(world)));
  return read && renderPrompt(read.subject, read.moment);
};
const listPolicyIds = (value: string | undefined): string[] =>
  [...(value ?? '').matchAll(/“Policy (\d+) of \w+”/g)].map(([, at]) => `pol_${at}`);

const accountNames: Readonly<Record<string, string>> = { m_1: '“Seller one”', m_2: 'unknown (“m_2”)' };

test('a prompt shows the policies, account and channels that the publish will use', async () => {
  let [published, chosen] = [0, 0];
  await fc.assert(
    fc.asyncProperty(given, async (world) => {
      const { all, request, template, defaults, asked, ofListing, channels } = world;
      const used = await nullIfRefused(() =>
        choosePublishPolicies({ homeSite: site, site, policies: all }, { request, template: template ?? {}, defaults }),
      );
      const prompt = await promptOf(world);
      if (used === null) return;
      if (prompt === null) throw new Error('The service publishes although no prompt can be shown.');
      published += 1;
      const valueOf = (field: string, namespaces: string[]): string | undefined =>
        prompt.facts.find(({ namespace, key }) => namespaces.includes(namespace) && key === field)?.value;
      for (const kind of policyKinds) {
        const field = policyFields[kind];
        const named = request[field] ?? template?.[field] ?? defaults[field];
        const shown = listPolicyIds(valueOf(field, request[field] === undefined ? ['policies'] : ['request']));
        const ofKind = all.filter((one) => one.kind === kind && one.marketplaceId === site);
        expect(shown).toEqual(named === undefined ? ofKind.map(({ policyId }) => policyId) : [named]);
        expect(shown).toContain(used[kind].policyId);
        if (named === undefined) chosen += 1;
      }
      const account = chooseMarketAccountId(
        { accountId: 'm_1' },
        { marketAccountId: ofListing },
        { marketAccountId: asked },
      );
      const where = asked === undefined ? (ofListing === null ? ['account'] : ['record']) : ['request'];
      expect(valueOf('marketAccountId', where)).toBe(accountNames[account ?? '']);
      const channelNames = channels?.map((id) => (id === 'market' ? 'Marketplace' : '“Corner shop”')).join(' and ');
      expect(valueOf('channels', ['request'])).toBe(channelNames);
      expect(prompt.act.includes('“Corner shop”')).toBe(channels?.includes('corner') ?? false);
      expect(prompt.changes).toEqual([]);
    }),
    { numRuns: 1_000, seed: 38 },
  );
  expect(Math.min(published, chosen)).toBeGreaterThan(100);
});
