// Run under a separate D-Bus session by the keychain test: uses the keychain once and prints the result.
import {
  getAssistantsServiceName,
  clearKeychainSecrets,
  getKeychainServiceName,
  openKeychain,
} from '../../../src/host/keychain.ts';

const secrets = await openKeychain({ kind: 'system', service: 'companion-test' });
await secrets.set('key', 'secret ✓');
const read = await secrets.get('key');
const again = await (await openKeychain({ kind: 'system', service: 'companion-test' })).get('key');
const other = await (await openKeychain({ kind: 'system', service: 'companion-other' })).get('key');
await secrets.remove('key');
await secrets.remove('key');
const removed = await secrets.get('key');

// Two secrets of one data folder are deleted, and those of another folder stay.
const folder = { dataDir: '/mine', ownData: true, keychain: 'system' } as const;
const services = [
  getKeychainServiceName(folder),
  getAssistantsServiceName(folder),
  getKeychainServiceName({ ...folder, dataDir: '/other' }),
];
const chains = await Promise.all(services.map((service) => openKeychain({ kind: 'system', service })));
for (const chain of chains) for (const name of ['one', 'two']) await chain.set(name, 'kept');
if (secrets.kind === 'system') await clearKeychainSecrets(folder);
const cleared = await Promise.all(chains.map((chain) => chain.get('two')));
const problem = secrets.problem ?? null;
console.log(JSON.stringify({ kind: secrets.kind, problem, read, again, other, removed, cleared }));
