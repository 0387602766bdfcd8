import { expect, test } from 'vitest';
import { loadCeremonyTexts } from '../../../src/host/ceremony/ceremonyTexts.ts';
import { callMessages, describeCeremony } from '../../../src/host/ceremony/describeCeremony.ts';
import { calls } from '../../../src/ipc/calls.ts';

const finders = { findName: () => null, createPhotoPath: () => '' };
const describeCall = async (call: string, input: object) =>
  describeCeremony({ of: 'call', call, input }, await loadCeremonyTexts('en', undefined), finders);

test('every protected call says on the ceremony page what it does', () => {
  const needed = Object.entries(calls).flatMap(([name, { protection }]) => (protection === 'proof' ? [name] : []));
  const prompts = ['approvals.approve', 'batch.approve'];
  expect(Object.keys(callMessages).toSorted()).toEqual(needed.filter((name) => !prompts.includes(name)).toSorted());
});

test('the page shows the rights that an assistant gets, and a field that it does not know', async () => {
  const access = { scope: 'ask', folders: ['/home/me/a', '/home/me/b'], publishesPerDay: null, moneyCentsPerDay: 1250 };
  const { rows, facts } = await describeCall('assistants.accept', {
    pairingId: 'p_1',
    access,
    later: { x: [1, true] },
  });
  expect(rows[0]?.act).toBe('Let an assistant in');
  expect(facts).toEqual([
    { label: 'Assistant', value: 'p_1' },
    { label: 'It may', value: 'read, write drafts and ask to publish' },
    { label: 'Folders it may read', value: '/home/me/a\n/home/me/b' },
    { label: 'Publishes per day', value: 'no limit' },
    { label: 'Money per day', value: 'US$12.50' },
    { label: 'later', value: 'x: 1\nyes' },
  ]);
});

test('the total names the fees that are not known', async () => {
  const texts = await loadCeremonyTexts('de', 'de-AT,de;q=0.5');
  const total = { amounts: [{ currency: 'EUR', minor: 150 }], unknown: 2 };
  const { facts } = describeCeremony({ of: 'approvals', approvals: [], total }, texts, finders);
  expect(facts[0]).toEqual({ label: 'Summe', value: '€\u00a01,50 + 2 unbekannte Gebühren' });
});

test.each([
  ['system', 'fr-CA, en;q=0.8', 'fr'],
  ['system', 'ja', 'en'],
  ['system', '"><script>,de', 'de'],
  ['pl', 'fr', 'pl'],
  ['system', undefined, 'en'],
])('with the language %s and a browser in %s, the page is in %s', async (setting, accepted, language) => {
  expect((await loadCeremonyTexts(setting, accepted)).language).toBe(language);
});
