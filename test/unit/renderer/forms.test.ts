import { expect, test, vi } from 'vitest';
import { publishFixes, publishRefusals } from '../../../src/contract/index.ts';
import { createTopicThrottle } from '../../../src/renderer/src/api/queries.ts';
import type { HistoryRow, Listing } from '../../../src/renderer/src/api/call.ts';
import { parseExtrasCount } from '../../../src/renderer/src/screens/approvals/approvalText.ts';
import { groupPoliciesByKind, toPolicyBody } from '../../../src/renderer/src/screens/approvals/fix/policies.ts';
import { findApprovalId, formatRecordRow } from '../../../src/renderer/src/screens/approvals/record/recordLines.ts';
import { parseDayLimits } from '../../../src/renderer/src/screens/assistants/AssistantLimitsForm.tsx';
import { createLiveDraft, computeLiveChanges } from '../../../src/renderer/src/screens/items/review/LiveEdit.tsx';
import { parseUpgradeOption } from '../../../src/renderer/src/screens/account/PlansSection.tsx';

const shoes: Listing = { listingId: 'l', status: 'published', title: 'Shoes', price: 5_900, quantity: 1 };

test('only changed fields of a live listing are sent', () => {
  const draft = createLiveDraft(shoes);
  expect(computeLiveChanges(shoes, draft)).toBe('Nothing has been changed yet.');
  expect(computeLiveChanges(shoes, { ...draft, price: '59' })).toBe('Nothing has been changed yet.');
  expect(computeLiveChanges(shoes, { ...draft, price: '49,00' })).toEqual({ price: 4_900 });
  expect(computeLiveChanges(shoes, { ...draft, title: 'Blue shoes ', price: '60.00', quantity: '2' })).toEqual({
    title: 'Blue shoes',
    price: 6_000,
    quantity: 2,
  });
  expect(computeLiveChanges(shoes, { ...draft, description: '<p>Blue.</p>', sku: ' B 4 ' })).toEqual({
    description: '<p>Blue.</p>',
    sku: 'B 4',
  });
  expect(computeLiveChanges(shoes, { ...draft, price: 'much' })).toContain('a price like');
  expect(computeLiveChanges(shoes, { ...draft, quantity: '0' })).toContain('at least 1');
  expect(computeLiveChanges(shoes, { ...draft, title: ' ' })).toContain('title');
});

test('policies are found in one list, in lists per kind and under alternative names', () => {
  const ship = { policyId: 'f1', name: 'Parcel' };
  expect(groupPoliciesByKind({ policies: [{ ...ship, kind: 'fulfillment' }] }).fulfillment).toMatchObject([ship]);
  expect(groupPoliciesByKind([{ id: 'p1', type: 'PAYMENT' }]).payment).toMatchObject([{ policyId: 'p1', name: 'p1' }]);
  expect(groupPoliciesByKind({ returnPolicies: [{ returnPolicyId: 'r1', title: '30 days' }] }).return).toMatchObject([
    { policyId: 'r1', name: '30 days' },
  ]);
  expect(groupPoliciesByKind({ shipping: [ship, { name: 'no id' }, null, 'x'] }).fulfillment).toMatchObject([ship]);
  for (const odd of [null, 'text', 3, { policies: 'none' }])
    expect(groupPoliciesByKind(odd)).toMatchObject({ fulfillment: [], payment: [], return: [] });
  expect(toPolicyBody({ fulfillment: 'f1', payment: '' })).toMatchObject({ fulfillmentPolicyId: 'f1' });
});

test('the way to upgrade the plan is parsed from the service’s response', () => {
  expect(parseUpgradeOption({ path: '/billing/external-checkout-token', body: { tier: 'pro', trial: true } })).toEqual({
    kind: 'checkout',
    body: { tier: 'pro', trial: true },
  });
  expect(parseUpgradeOption({ body: { tier: 'pro' } })).toEqual({ kind: 'checkout', body: { tier: 'pro' } });
  expect(parseUpgradeOption({ path: '/subscriptions/portal' })).toEqual({ kind: 'portal', body: {} });
  expect(parseUpgradeOption({ openApp: true, tellThePerson: 'In the store.' })).toEqual({
    kind: 'words',
    words: 'In the store.',
  });
  for (const unknown of [null, undefined, 'soon', {}, { body: {} }]) expect(parseUpgradeOption(unknown)).toBeNull();
});

test('an assistant has no daily limit if the limit field is empty', () => {
  expect(parseDayLimits('', '')).toEqual({ publishesPerDay: null, moneyCentsPerDay: null });
  expect(parseDayLimits('0', '2,50')).toEqual({ publishesPerDay: 0, moneyCentsPerDay: 250 });
  expect(parseDayLimits('many', '')).toContain('whole number');
  expect(parseDayLimits('', 'lots')).toContain('an amount');
});

test('a history row is shown as a sentence, even if its kind is unknown', () => {
  const row = (kind: string, facts: HistoryRow['facts'] = {}): HistoryRow => ({
    ...{ seq: 1, at: 0, day: '', kind, facts },
    ...{ title: null, act: null, approval: null },
  });
  expect(formatRecordRow(row('approval.asked', { act: 'Publish on the US site' }))).toBe(
    'Asked: Publish on the US site',
  );
  expect(formatRecordRow(row('approval.asked', { act: '$& $1' }))).toBe('Asked: $& $1');
  expect(formatRecordRow(row('approval.asked', { route: 'publishListing' }))).toBe('Asked: something');
  expect(formatRecordRow(row('approval.refuse', { code: 'MARKET_REFUSED' }))).toBe('Refused by the service');
  expect(formatRecordRow(row('moon.landed_on'))).toBe('Moon landed on');
  expect(findApprovalId(row('x', { approvalId: 'ap_1' }))).toBe('ap_1');
  expect(findApprovalId(row('x', { approvalId: 7 }))).toBeNull();
});

test('the number of extras is parsed from the text of the prompt', () => {
  expect(parseExtrasCount({ act: 'Set aside 12 extra listings' })).toBe(12);
  expect(parseExtrasCount({ act: 'Set aside extras' })).toBeNull();
});

test('every refusal code of a publish has a sentence and a labelled fix', () => {
  for (const code of publishRefusals) {
    expect(publishFixes[code].sentence).toMatch(/\.$/);
    expect(publishFixes[code].label).not.toBe('');
  }
});

test('rapid changes of a topic trigger one action immediately and one action later', () => {
  vi.useFakeTimers();
  const acted: string[] = [];
  const beats = createTopicThrottle((topic) => acted.push(topic));
  for (let at = 0; at < 50; at += 1) beats.notify('approvals');
  beats.notify('items');
  expect(acted).toEqual(['approvals', 'items']);
  vi.advanceTimersByTime(1_000);
  expect(acted).toEqual(['approvals', 'items', 'approvals']);
  beats.notify('approvals');
  expect(acted).toHaveLength(4);
  beats.stop();
  vi.useRealTimers();
});

test('while a topic changes continuously, it is reported less and less often, at least once a second', () => {
  vi.useFakeTimers();
  const reportedAt: number[] = [];
  const beats = createTopicThrottle(() => reportedAt.push(performance.now() - from));
  const from = performance.now();
  const change = (untilMs: number): void => {
    while (performance.now() - from < untilMs) {
      beats.notify('items');
      vi.advanceTimersByTime(10);
    }
  };
  change(4_000);
  expect(reportedAt).toEqual([0, 150, 450, 1_050, 2_050, 3_050]);
  vi.advanceTimersByTime(2_000);
  expect(reportedAt.slice(6)).toEqual([4_050]);
  beats.notify('items');
  expect(reportedAt.slice(7)).toEqual([6_000]);
  beats.stop();
  vi.useRealTimers();
});
