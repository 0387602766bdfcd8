import { expect, test } from 'vitest';
import { listAnsweredPolicies } from '../../../../src/contract/index.ts';
import { createBoundIdNames, listPolicyNames } from '../../../../src/core/approvals/prompts/idNames.ts';
import {
  choosePolicySources,
  createPolicyFacts,
  describePolicy,
} from '../../../../src/core/approvals/prompts/policies.ts';
import { formatEnglishMessage } from '../../../../src/i18n/english.ts';
import { createMessageTranslator } from '../../../../src/i18n/format.ts';
import de from '../../../../src/i18n/locales/de/core.json' with { type: 'json' };

const german = createMessageTranslator('de', de);
const flat = {
  policyId: 'pol_1',
  kind: 'fulfillment',
  name: 'Flat postage, United States',
  marketplaceId: 'MKT_US',
  postage: 'flat',
  flatMinor: 599,
};
const calculated = { policyId: 'pol_2', kind: 'fulfillment', name: 'USPS calculated', postage: 'calculated' };
const payment = { policyId: 'pol_3', kind: 'payment', name: 'By the marketplace' };
const returns = { policyId: 'pol_4', kind: 'return', days: 30 };
const all = [flat, calculated, payment, returns];

type Named = Parameters<typeof choosePolicySources>[0];

/**
 * Creates the prompt facts for these policies. `named` holds the ids that the request, the template and the defaults
 * name.
 */
const factsOf = (answer: unknown, named: Partial<Named> = {}) => {
  const policies = listAnsweredPolicies(answer);
  const names = createBoundIdNames({ account: 'a', listing: null, context: { names: listPolicyNames(policies) } });
  const unknownKind = policies.filter(({ kind }) => kind === null).map(({ policyId }) => policyId);
  const choices = choosePolicySources({ request: {}, template: null, defaults: {}, ...named }, policies);
  return createPolicyFacts(choices, unknownKind, names);
};
const linesOf = (...given: Parameters<typeof factsOf>): string[] =>
  factsOf(...given).map(({ label, value }) => `${label}: ${value}`);

test('the source of a policy is chosen separately for each kind of policy', () => {
  expect(linesOf(all, { request: { fulfillmentPolicyId: 'pol_2' } })).toEqual([
    'Payment policy: chosen by the service from: “By the marketplace”',
    'Return policy: chosen by the service from: returns within 30 days',
  ]);
  expect(linesOf(all, { template: { fulfillmentPolicyId: 'pol_2' }, defaults: { returnPolicyId: 'pol_4' } })).toEqual([
    'Shipping policy: “USPS calculated” · calculated postage (from the template)',
    'Payment policy: chosen by the service from: “By the marketplace”',
    'Return policy: returns within 30 days (from your selling defaults)',
  ]);
});

test('a policy is taken from the request first, then the template, then the defaults', () => {
  const [one, two, three] = ['pol_1', 'pol_2', 'pol_9'].map((id) => ({ fulfillmentPolicyId: id }));
  const first = (named: Partial<Named>) =>
    choosePolicySources({ request: {}, template: null, defaults: {}, ...named }, [])[0];
  expect(first({ request: one, template: two, defaults: three })).toMatchObject({
    by: 'request',
    policyIds: ['pol_1'],
  });
  expect(first({ template: two, defaults: three })).toMatchObject({ by: 'template', policyIds: ['pol_2'] });
  expect(first({ defaults: three })).toMatchObject({ by: 'defaults', policyIds: ['pol_9'] });
  expect(first({})).toMatchObject({ by: 'service', policyIds: [] });
});

test('if no policy is named, the prompt lists every policy that the service can choose', () => {
  const [fact] = factsOf([flat, calculated]);
  expect(fact?.value).toBe(
    'chosen by the service from: “Flat postage, United States” · United States · flat postage · postage US$5.99; “USPS calculated” · calculated postage',
  );
  expect(fact?.says && german(fact.says)?.replaceAll('\u00a0', ' ')).toBe(
    'wählt der Dienst aus: „Flat postage, United States“ · Vereinigte Staaten · pauschaler Versand · Versand 5,99 US$; „USPS calculated“ · berechneter Versand',
  );
  expect(fact?.labelSays && german(fact.labelSays)).toBe(de.labels.fulfillmentPolicyId);
});

test('a named policy missing from the list is shown as unknown with its id', () => {
  expect(linesOf(all, { template: { paymentPolicyId: 'pol_gone' } })[1]).toBe(
    'Payment policy: unknown (“pol_gone”) (from the template)',
  );
});

test('policies that differ only by id are numbered', () => {
  expect(linesOf([payment, { ...payment, policyId: 'pol_5' }])[1]).toBe(
    'Payment policy: chosen by the service from: “By the marketplace” (1 of 2 of this name); “By the marketplace” (2 of 2 of this name)',
  );
});

test('policies of an unknown kind and policies that could not be read are shown separately', () => {
  expect(linesOf([{ policyId: 'pol_7', name: 'Some terms' }])).toEqual([
    'Shipping policy: chosen by the service',
    'Payment policy: chosen by the service',
    'Return policy: chosen by the service',
    'Policies: of a kind that is not known: “Some terms”',
  ]);
  const none = createPolicyFacts(
    choosePolicySources({ request: {}, template: null, defaults: {} }, []),
    null,
    createBoundIdNames({ account: 'a', listing: null, context: {} }),
  );
  expect(none.map(({ value }) => value)).toEqual([
    ...Array<string>(3).fill('chosen by the service'),
    'could not be read; your account’s own apply',
  ]);
});

test('policies are parsed from separate lists per kind and with alternative field names', () => {
  expect(
    listAnsweredPolicies({ shippingPolicies: [{ id: 's', label: 'Post' }], returns: [{ returnPolicyId: 'r' }] }),
  ).toMatchObject([
    { policyId: 's', kind: 'fulfillment', name: 'Post' },
    { policyId: 'r', kind: 'return', name: null },
  ]);
  expect(listAnsweredPolicies({ policies: [{ id: 'x', name: 'Of no kind' }], more: null })).toEqual([]);
});

const describeInEnglish = (policy: Record<string, unknown>): string => {
  const found = describePolicy(policy);
  return found ? formatEnglishMessage(found) : '';
};

test('an unknown or invalid policy term is shown as the service sent it', () => {
  expect(
    [
      { policyId: 'p', kind: 'fulfillment', postage: 'free', flatMinor: 599, maxWeightGrams: -1 },
      { policyId: 'p', kind: 'fulfillment', flatMinor: 1.5, inner: { postage: 'flat' } },
      { policyId: 'p', kind: 'return', days: '30', accepted: 'no', flatMinor: 1 },
      { policyId: 'p', kind: 'return', accepted: false },
      { policyId: 'p', kind: 'payment', price: 100, title: 'A fox' },
    ].map(describeInEnglish),
  ).toEqual([
    '“postage: free” · “flatMinor: 599” · “maxWeightGrams: -1”',
    '“flatMinor: 1.5” · “inner.postage: flat”',
    '“days: 30” · “accepted: no” · “flatMinor: 1”',
    'no returns',
    '“price: 100” · “title: A fox”',
  ]);
});

test('a policy name cannot imitate the companion’s own text', () => {
  expect(describeInEnglish({ policyId: 'p', kind: 'payment', name: 'Free” · postage US$0.00 “' })).toBe(
    "“Free' · postage US$0.00 '”",
  );
});
