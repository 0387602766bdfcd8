import { expect, test } from 'vitest';
import { policyFacts } from '../../../../src/core/approvals/prompts/policies.ts';
import de from '../../../../src/i18n/locales/de/core.json' with { type: 'json' };
import { createTranslator } from '../../../../src/i18n/format.ts';

const flat = {
  policyId: 'pol_1',
  kind: 'fulfillment',
  name: 'Flat postage, United States',
  marketplaceId: 'MKT_US',
  postage: 'flat',
  flatMinor: 599,
};
const heavy = { policyId: 'pol_2', kind: 'fulfillment', postage: 'calculated', maxWeightGrams: 31_500 };
const valuesOf = (...policies: unknown[]): string[] =>
  policyFacts(policies)
    .slice(0, policies.length)
    .map(({ value }) => value);

test('what a policy says is in words, its money with its currency, and the ids come after all of them', () => {
  const facts = policyFacts([
    flat,
    heavy,
    { policyId: 'pol_3', kind: 'payment', name: 'By the marketplace' },
    { policyId: 'pol_4', kind: 'return', days: 30 },
    { policyId: 'pol_5', kind: 'return', accepted: false },
  ]);
  expect(facts.map(({ label, value }) => [label, value])).toEqual([
    ['Shipping policy', '“Flat postage, United States” · United States · flat postage · postage US$5.99'],
    ['Shipping policy', 'calculated postage · up to 31,500 g'],
    ['Payment policy', '“By the marketplace”'],
    ['Return policy', 'returns within 30 days'],
    ['Return policy', 'no returns'],
    ['fulfillment.policyId', 'pol_1'],
    ['fulfillment.policyId', 'pol_2'],
    ['payment.policyId', 'pol_3'],
    ['return.policyId', 'pol_4'],
    ['return.policyId', 'pol_5'],
  ]);
  const german = createTranslator('de', de);
  const [first] = facts;
  expect(first?.says && german(first.says)?.replaceAll('\u00a0', ' ')).toBe(
    '„Flat postage, United States“ · Vereinigte Staaten · pauschaler Versand · Versand 5,99 US$',
  );
  expect(first?.labelSays && german(first.labelSays)).toBe(de.labels.fulfillmentPolicyId);
});

test('a term that nobody knows, or that is not what it should be, is shown as it came', () => {
  expect(
    valuesOf(
      { policyId: 'p', kind: 'fulfillment', postage: 'free', flatMinor: 599, maxWeightGrams: -1 },
      { policyId: 'p', kind: 'fulfillment', marketplaceId: 'MKT_XX', flatMinor: 1.5, inner: { postage: 'flat' } },
      { policyId: 'p', kind: 'return', days: '30', accepted: 'no', flatMinor: 1 },
      { policyId: 'p', kind: 'payment', price: 100, title: 'A fox' },
    ),
  ).toEqual([
    '“postage: free” · “flatMinor: 599” · “maxWeightGrams: -1”',
    '“marketplaceId: MKT_XX” · “flatMinor: 1.5” · “inner.postage: flat”',
    '“days: 30” · “accepted: no” · “flatMinor: 1”',
    '“price: 100” · “title: A fox”',
  ]);
});

test('no name and no kind passes for words of ours', () => {
  const [fact, id] = policyFacts([{ policyId: 'p', kind: 'Price', name: 'Free” · postage US$0.00 “' }]);
  expect(fact).toMatchObject({ label: 'Price', value: "“Free' · postage US$0.00 '”" });
  expect([fact?.labelSays, id?.labelSays]).toEqual([undefined, undefined]);
});
