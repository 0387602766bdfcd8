import { expect, test } from 'vitest';
import { settingsShape } from '../../../src/core/base/settings.ts';
import { calls } from '../../../src/ipc/calls.ts';

const { input } = calls['app.settings'];

test('the call that changes settings accepts every setting and adds no default values', () => {
  expect(Object.keys(input.shape).sort()).toEqual(Object.keys(settingsShape.shape).sort());
  expect(input.parse({})).toEqual({});
  expect(input.parse({ notify: {} })).toEqual({ notify: {} });
});

test('unknown and internal fields change no setting', () => {
  const change = { theme: 'dark', unheard: 1, repaired: null, settings: {}, notify: { sales: false, unheard: true } };
  expect(input.parse(change)).toEqual({ theme: 'dark', notify: { sales: false } });
});

test.each([
  ['language', ['system', 'en', 'de'], ['xx', '', null]],
  ['theme', ['system', 'light', 'dark'], ['blue', null]],
  ['tourSeen', [true, false], ['yes', null]],
  ['longEdgePx', [1280, 2400], [1279, 2401, 1600.5, '1600', null]],
  ['photoFormat', ['jpeg', 'webp'], ['png', null]],
  ['watchFolder', ['a', 'a'.repeat(4_000), null], ['', 'a'.repeat(4_001)]],
  ['groupingReview', [true, false], [1, null]],
  ['deferDrops', [true, false], [1, null]],
  ['useFolderTexts', [true, false], [1, null]],
  ['approvalMinutes', [1, 1440], [0, 1441, 1.5, null]],
  ['publishFromNotificationMinor', [0, 100_000, null], [-1, 100_001, 0.5]],
  ['marketplaceId', ['MKT_DE', null], ['MKT_', 'mkt_de', '']],
  ['templateId', ['', 'a'.repeat(200), null], ['a'.repeat(201), 1]],
  ['watchTemplateId', ['', 'a'.repeat(200), null], ['a'.repeat(201), 1]],
  ['marketAccountId', ['a', 'a'.repeat(200), null], ['', 'a'.repeat(201)]],
  ['notify', [{ approvals: false, written: true, sales: false, connection: true }, { sales: false }], [null, true]],
  ['notify', [{ connection: false }], [{ sales: null }, { approvals: 'yes' }]],
])('the setting %s accepts %j and refuses %j', (name, accepted, refused) => {
  for (const value of accepted) expect(input.parse({ [name]: value })).toEqual({ [name]: value });
  for (const value of refused) expect(input.safeParse({ [name]: value }).success).toBe(false);
});
