// Run under a D-Bus session of its own by the keychain test: uses the keychain once and prints what came of it.
import { openKeychain } from '../../../src/host/keychain.ts';

const secrets = await openKeychain({ kind: 'system', service: 'companion-test' });
await secrets.set('key', 'secret ✓');
const read = await secrets.get('key');
const again = await (await openKeychain({ kind: 'system', service: 'companion-test' })).get('key');
const other = await (await openKeychain({ kind: 'system', service: 'companion-other' })).get('key');
await secrets.remove('key');
await secrets.remove('key');
const removed = await secrets.get('key');
console.log(JSON.stringify({ kind: secrets.kind, problem: secrets.problem ?? null, read, again, other, removed }));
