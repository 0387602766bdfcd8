import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { getClientIdentity, identityVariable, readInstalledIdentity } from '../../../src/cli/mcp/serveTools.ts';
import { createClientIdentity, getTokenKeychainName } from '../../../src/host/clientTokens.ts';
import { anyText } from '../../helpers/anyText.ts';
import { runCommand } from './command.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'identity-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('the mcp command prints a new identity each time without a running companion', async () => {
  const [one, two] = [
    await runCommand(folder, ['mcp', '--new-identity']),
    await runCommand(folder, ['mcp', '--new-identity']),
  ];
  expect([one.code, two.code]).toEqual([0, 0]);
  expect(one.stdout).not.toBe(two.stdout);
  expect(getClientIdentity(one.stdout.trim(), {})).toBe(one.stdout.trim());
});

test('the identity flag takes precedence over the environment variable', () => {
  const [one, two] = [createClientIdentity(), createClientIdentity()];
  expect(getClientIdentity(one, { [identityVariable]: two })).toBe(one);
  expect(getClientIdentity(undefined, { [identityVariable]: two })).toBe(two);
  expect(getClientIdentity(undefined, { [identityVariable]: '' })).toBeNull();
  expect(getClientIdentity(undefined, {})).toBeNull();
});

test('a name or a short string is refused as an identity', async () => {
  for (const guess of ['command line', 'Desktop client', 'lci_', 'lci_short', `lci_${'x'.repeat(21)}`, 'x'.repeat(40)])
    expect(() => getClientIdentity(guess, {})).toThrow('This is no identity.');
  const refused = await runCommand(folder, ['mcp', '--identity', 'command line']);
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('This is no identity.') as string });
});

test('each combination of identity and data folder has its own keychain entry for the token', () => {
  const name = fc.oneof(anyText, fc.constantFrom('command line', 'this process'));
  fc.assert(
    fc.property(name, fc.string({ minLength: 1 }), (given, dataDir) => {
      const folder = { dataDir, ownData: true };
      const other = { dataDir: join('/', dataDir.replaceAll('\0', ''), 'other'), ownData: true };
      const kept = getTokenKeychainName(given, folder);
      expect(kept).toMatch(/^client [0-9a-f]{64}$/);
      expect(kept).not.toContain('command line');
      expect(getTokenKeychainName(`${given}x`, folder)).not.toBe(kept);
      expect(getTokenKeychainName(given, other)).not.toBe(kept);
    }),
  );
});

test('an installed bundle creates its identity once, in a private file', () => {
  const file = join(folder, 'identity');
  const made = readInstalledIdentity(file);
  expect(made).toMatch(/^lci_/);
  expect(readInstalledIdentity(file)).toBe(made);
  expect(readFileSync(file, 'utf8')).toBe(made);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  writeFileSync(file, 'command line');
  expect(readInstalledIdentity(file)).toBeNull();
  expect(readInstalledIdentity(join(folder, 'missing', 'identity'))).toBeNull();
});
