import { expect, test } from 'vitest';
import { getKeychainServiceName, openKeychain } from '../../../src/host/keychain.ts';
import { hasKeyring, useKeychain } from '../../helpers/hosts/keyring.ts';

test.runIf(hasKeyring)('each data folder has its own key in the system keychain', () => {
  expect(useKeychain('unlocked')).toEqual({
    kind: 'system',
    problem: null,
    read: 'secret ✓',
    again: 'secret ✓',
    other: null,
    removed: null,
    cleared: [null, null, 'kept'],
  });
});

test.runIf(hasKeyring).each([
  ['locked', /locked or has no keyring yet; unlock it/],
  ['no bus', /no D-Bus.*start the companion from your desktop session/],
  ['no libsecret', /the library libsecret is not installed/],
] as const)('without a usable keychain (%s), the key is kept in memory for this run only', (keyring, why) => {
  const outcome = useKeychain(keyring);
  expect(outcome).toMatchObject({ kind: 'memory', read: 'secret ✓', again: null, removed: null });
  expect(outcome.problem).toMatch(why);
  expect(outcome.problem).toMatch(/kept for this run only/);
});

test('a keychain in memory is used without a warning if requested', async () => {
  const secrets = await openKeychain({ kind: 'memory' });
  await secrets.set('key', 'value');
  expect([secrets.kind, secrets.problem, await secrets.get('key')]).toEqual(['memory', undefined, 'value']);
});

test('a data folder chosen by the person has its own keychain entries', () => {
  expect(getKeychainServiceName({ dataDir: '/a', ownData: false })).toBe('Listing Companion');
  expect(getKeychainServiceName({ dataDir: '/a', ownData: true })).toBe('Listing Companion (/a)');
});
