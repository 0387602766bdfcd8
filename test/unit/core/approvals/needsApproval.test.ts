import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { routeNames, getRouteByName } from '../../../../src/contract/index.ts';
import { toCanonicalJson, hashCanonicalJson } from '../../../../src/core/base/json.ts';
import { requiresApproval } from '../../../../src/core/approvals/needsApproval.ts';
import {
  isFinalState,
  findApprovalTransition,
  approvalTransitions,
} from '../../../../src/core/storage/tables/approvalRecord.ts';

describe('requiresApproval', () => {
  test('a route that always needs approval needs approval for any body', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...routeNames.filter((name) => getRouteByName(name).askFirst)),
        fc.anything(),
        (name, body) => requiresApproval(name, body),
      ),
    );
  });

  test.each([
    ['updateListing', { bestOffer: { enabled: false } }, true],
    ['updateListing', { bestOffer: null }, true],
    ['updateListing', { title: 'x' }, false],
    ['updateUser', { autoDelistDefault: false }, true],
    ['updateUser', { name: 'x' }, false],
    ['quoteFees', { action: 'confirm' }, true],
    ['quoteFees', { action: 'quote' }, false],
    ['updateListing', { BestOffer: { enabled: true } }, true],
    ['updateListing', { best_offer: { enabled: true } }, true],
    ['updateListing', { 'best\u200bOffer': {} }, true],
    ['updateListing', { ｂestOffer: true }, true],
    ['updateListing', { 'bestOffer.enabled': true }, true],
    ['updateListing', { listing: { bestOffer: { enabled: true } } }, true],
    ['updateListing', { itemSpecifics: { 'Best Offer': 'none' } }, false],
    ['updateUser', { settings: { autoDelistDefault: true } }, true],
    ['updateUser', { 'auto-delist-default': true }, true],
    ['quoteFees', { Action: ' Confirm' }, true],
  ] as const)('%s with %j needs approval: %s', (name, body, asks) => {
    expect(requiresApproval(name, body)).toBe(asks);
  });

  test('the action list of the service can require more approvals but never fewer', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...routeNames),
        fc.boolean(),
        fc.array(fc.constantFrom('price', 'action=quote')),
        (name, askFirst, askFirstWhen) => {
          const body = { price: 1, action: 'quote' };
          const alone = requiresApproval(name, body);
          const both = requiresApproval(name, body, { live: { askFirst, askFirstWhen } });
          return both === (alone || askFirst || askFirstWhen.length > 0);
        },
      ),
    );
  });

  test('a second generation of a listing needs approval, except for adaptation to another site', () => {
    expect(requiresApproval('generateListing', {}, { generatedBefore: true })).toBe(true);
    expect(requiresApproval('generateListing', {}, { generatedBefore: false })).toBe(false);
    expect(requiresApproval('generateListing', { intent: 'adapt_marketplace' }, { generatedBefore: true })).toBe(false);
  });
});

describe('canonical JSON', () => {
  test('a digest ignores the order of keys but not the type of a value', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
        const turned = Object.fromEntries(Object.entries(value).reverse());
        return (
          hashCanonicalJson(value) === hashCanonicalJson(turned) &&
          JSON.stringify(JSON.parse(toCanonicalJson(value))) !== undefined
        );
      }),
    );
    expect(hashCanonicalJson({ price: 1 })).not.toBe(hashCanonicalJson({ price: '1' }));
  });
});

test('every approval event leads to exactly one state', () => {
  expect(
    ['done', 'failed', 'declined', 'expired', 'withdrawn', 'superseded'].every((state) => isFinalState(state as never)),
  ).toBe(true);
  expect(findApprovalTransition('approve')).toEqual({ from: ['pending'], to: 'approved' });
  expect(findApprovalTransition('replace')).toEqual({ from: ['pending', 'approved'], to: 'superseded' });
  for (const events of Object.values(approvalTransitions))
    for (const event of Object.keys(events)) expect(() => findApprovalTransition(event as never)).not.toThrow();
});
