import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '../host.ts';

const built = join(import.meta.dirname, '..', '..', '..', 'out', 'renderer');
/** Only code that asks for a passkey uses this name. */
const passkeyName = 'credentials.get';

test('the ceremony page is one script, and the window loads none of its code', () => {
  const script = readFileSync(join(built, 'presence.js'), 'utf8');
  expect(script).not.toMatch(/\bimport[\s({"'`]|\bfrom[`"']/);
  expect(script).toContain(passkeyName);
  const assets = readdirSync(join(built, 'assets')).filter((name) => name.endsWith('.js'));
  expect(assets.filter((name) => readFileSync(join(built, 'assets', name), 'utf8').includes(passkeyName))).toEqual([]);
});
