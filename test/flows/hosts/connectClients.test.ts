import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { getTokenKeychainName } from '../../../src/host/clientTokens.ts';
import { createClientConnections } from '../../../src/host/clients/clientConnections.ts';
import { getSettingsEntry } from '../../../src/host/clients/editSettings.ts';
import type { ClientId } from '../../../src/ipc/clients.ts';
import { createMemorySecrets } from '../../helpers/hosts/createMemorySecrets.ts';
import { startWorld, type World } from '../../helpers/world.ts';

let world: World;
let home: string;
beforeEach(async () => {
  world = await startWorld();
  home = realpathSync(mkdtempSync(join(tmpdir(), 'home-')));
});
afterEach(async () => {
  await world.close();
  rmSync(home, { recursive: true, force: true });
});

const folder = { dataDir: '/data', ownData: true };
const command = { program: process.execPath, args: ['cli.ts', 'mcp', '--data', '/data'] };
/** Creates the client connections of a machine with a separate home folder. `kind` says whether a keychain exists. */
const createMachine = (kind: 'system' | 'memory' = 'system') => {
  const secrets = createMemorySecrets(kind);
  const connections = createClientConnections({
    places: { platform: 'linux', home, env: { PATH: join(home, 'bin') } },
    folder,
    command,
    assistants: world.companion().assistants,
    openSecrets: async () => secrets,
    recordWritten: world.companion().recordClientWritten,
  });
  const connectClient = async (id: ClientId) => connections.connect(id, (await connections.plan(id)).planId);
  const stateOf = async (id: ClientId) => (await connections.list()).find((one) => one.id === id);
  return { ...connections, secrets, byId: stateOf, connectNow: connectClient };
};

const writeSettings = (path: string, text: string, mode = 0o600): string => {
  const file = join(home, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  chmodSync(file, mode);
  return file;
};
const listPaired = () => world.companion().assistants.list().assistants;
const claude = { format: 'json', servers: 'mcpServers', name: 'listing-companion' } as const;
const readIdentity = (file: string): string => /lci_[\w-]+/.exec(readFileSync(file, 'utf8'))?.[0] ?? '';

test('a client is offered if its settings folder or its command exists', async () => {
  writeSettings('.codex/config.toml', '');
  writeSettings('bin/claude', '#!/bin/sh\n', 0o755);
  expect((await createMachine().list()).map(({ id, state }) => [id, state])).toEqual([
    ['claude-code', 'none'],
    ['codex', 'none'],
  ]);
});

test('a client is set up and paired only after the person confirms the preview', async () => {
  const before = '{\n  "theme": "dark",\n  "mcpServers": {}\n}\n';
  const file = writeSettings('.claude.json', before, 0o640);
  writeSettings('.claude/x', '');
  const own = createMachine();
  const plan = await own.plan('claude-code');
  expect(plan).toMatchObject({ file, isNew: false, name: 'Claude Code' });
  expect(
    plan.lines
      .filter(({ kind }) => kind === 'added')
      .map(({ text }) => text)
      .join('\n'),
  ).toContain('"listing-companion"');
  // The preview writes nothing and pairs no client.
  expect(readFileSync(file, 'utf8')).toBe(before);
  expect(listPaired()).toEqual([]);

  await own.connect('claude-code', plan.planId);
  expect(getSettingsEntry(claude, readFileSync(file, 'utf8'))).toMatchObject({ command: process.execPath });
  expect(statSync(file).mode & 0o777).toBe(0o640);
  expect(readFileSync(`${file}.before-listing-companion`, 'utf8')).toBe(before);
  expect(statSync(`${file}.before-listing-companion`).mode & 0o777).toBe(0o640);
  expect(readdirSync(home).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  expect(listPaired()).toMatchObject([{ name: 'Claude Code', scope: 'ask' }]);
  // The token is not in the file but in the keychain, under the identity that the file contains.
  expect(readFileSync(file, 'utf8')).not.toContain('lct_');
  const token = await own.secrets.get(getTokenKeychainName(readIdentity(file), folder));
  expect(world.companion().assistants.holderOf(token ?? '')).toBe(listPaired()[0]?.assistantId);
  expect(await own.byId('claude-code')).toMatchObject({ state: 'paired', lastUsedAt: null });

  world.companion().assistants.authenticate(token ?? '');
  expect(await own.byId('claude-code')).toMatchObject({ state: 'paired', lastUsedAt: expect.any(Number) as number });
});

test('a disconnected client gets its exact old settings back and is no longer paired', async () => {
  const before = '{ "theme":"dark",\n\t"mcpServers":{"b":{"command":"b"}  } }';
  const file = writeSettings('.claude.json', before);
  writeSettings('.claude/x', '');
  const own = createMachine();
  await own.connectNow('claude-code');
  const identity = readIdentity(file);
  await own.disconnect('claude-code');
  expect(readFileSync(file, 'utf8')).toBe(before);
  expect(existsSync(`${file}.before-listing-companion`)).toBe(false);
  expect(listPaired()).toEqual([]);
  expect(await own.secrets.get(getTokenKeychainName(identity, folder))).toBeNull();
  expect(await own.byId('claude-code')).toMatchObject({ state: 'none' });
});

test('a disconnected client keeps later changes in its settings', async () => {
  const file = writeSettings('.gemini/settings.json', '{\n  // mine\n  "a": 1,\n}\n');
  const own = createMachine();
  await own.connectNow('gemini');
  writeFileSync(file, readFileSync(file, 'utf8').replace('"a": 1', '"a": 2'));
  await own.connectNow('gemini');
  expect(listPaired()).toHaveLength(1);
  await own.disconnect('gemini');
  const after = readFileSync(file, 'utf8');
  expect(after).toContain('// mine');
  expect(after).toContain('"a": 2');
  expect(after).not.toContain('lci_');
});

test('a new settings file is private and is removed when the client is disconnected', async () => {
  writeSettings('.cursor/x', '');
  const own = createMachine();
  expect(await own.plan('cursor')).toMatchObject({ isNew: true });
  await own.connectNow('cursor');
  const file = join(home, '.cursor', 'mcp.json');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  await own.disconnect('cursor');
  expect(existsSync(file)).toBe(false);
});

test('a settings file that has changed since the preview is not written', async () => {
  const file = writeSettings('.codex/config.toml', 'a = 1\n');
  const own = createMachine();
  const { planId } = await own.plan('codex');
  writeFileSync(file, 'a = 2\n');
  await expect(own.connect('codex', planId)).rejects.toThrow('was changed since you looked at it');
  expect(readFileSync(file, 'utf8')).toBe('a = 2\n');
  expect(listPaired()).toEqual([]);
  // A confirmation is valid only for the newest preview.
  const older = await own.plan('codex');
  await own.plan('codex');
  await expect(own.connect('codex', older.planId)).rejects.toThrow('was changed since');
  expect(readFileSync(file, 'utf8')).toBe('a = 2\n');
});

test('a link to a settings file is followed only within the home folder', async () => {
  const real = writeSettings('dotfiles/codex.toml', 'a = 1\n');
  mkdirSync(join(home, '.codex'));
  symlinkSync(real, join(home, '.codex', 'config.toml'));
  const own = createMachine();
  await own.connectNow('codex');
  expect(readFileSync(real, 'utf8')).toContain('[mcp_servers.listing-companion]');
  expect(realpathSync(join(home, '.codex', 'config.toml'))).toBe(real);

  const outside = mkdtempSync(join(tmpdir(), 'outside-'));
  try {
    writeFileSync(join(outside, 'mcp.json'), '{}');
    symlinkSync(outside, join(home, '.cursor'));
    await expect(own.plan('cursor')).rejects.toThrow('outside your home folder');
    expect(await own.byId('cursor')).toMatchObject({ state: 'blocked', problem: { code: 'SETTINGS_ELSEWHERE' } });
    mkdirSync(join(home, '.codeium', 'windsurf'), { recursive: true });
    symlinkSync(join(outside, 'not there'), join(home, '.codeium', 'windsurf', 'mcp_config.json'));
    await expect(own.plan('windsurf')).rejects.toThrow('outside your home folder');
    expect(readdirSync(outside)).toEqual(['mcp.json']);
    expect(readFileSync(join(outside, 'mcp.json'), 'utf8')).toBe('{}');
  } finally {
    rmSync(outside, { recursive: true, force: true });
  }
});

test('a settings file with a syntax error is reported and not written', async () => {
  const broken = '{ "mcpServers": { "a": ';
  const file = writeSettings('.claude.json', broken);
  writeSettings('.claude/x', '');
  const own = createMachine();
  await expect(own.plan('claude-code')).rejects.toThrow(
    'There is a mistake in this assistant’s settings, so nothing was written',
  );
  expect(await own.byId('claude-code')).toMatchObject({
    state: 'blocked',
    problem: { code: 'SETTINGS_NOT_UNDERSTOOD' },
  });
  expect(readFileSync(file, 'utf8')).toBe(broken);
});

test('a client connected without a keychain must request pairing itself', async () => {
  writeSettings('.codex/config.toml', '');
  const own = createMachine('memory');
  await own.connectNow('codex');
  expect(listPaired()).toEqual([]);
  expect(await own.byId('codex')).toMatchObject({ state: 'asksAnew' });
});

test('the client list shows whether a pairing has ended or the program of a client has changed', async () => {
  const file = writeSettings('.codex/config.toml', '');
  const own = createMachine();
  await own.connectNow('codex');
  const [assistant] = listPaired();
  world.companion().assistants.revoke(assistant?.assistantId ?? '');
  expect(await own.byId('codex')).toMatchObject({ state: 'ended' });
  writeFileSync(file, readFileSync(file, 'utf8').replace('cli.ts', 'old.ts'));
  expect(await own.byId('codex')).toMatchObject({ state: 'moved' });
});

describe('values of other settings in the preview of a change', () => {
  const joinLines = (...all: string[]): string => all.join('\n');
  const nestSetting = (inner: string): string =>
    joinLines('{', '  "mcpServers": {', '    "other": {', `      ${inner}`, '    }', '  }', '}');
  const hushed: [ClientId, string, string, string][] = [
    ['claude-code', '.claude.json', 'a value with a secret name', nestSetting('"API_KEY": "hush"')],
    [
      'claude-code',
      '.claude.json',
      'a value with an ordinary name',
      nestSetting('"PG": "postgres://me:hush@db/x?y=hush"'),
    ],
    ['claude-code', '.claude.json', 'arguments', nestSetting('"args": ["--header", "hush", "hush \\"hush\\""]')],
    ['claude-code', '.claude.json', 'a number', nestSetting('"pin": 40719')],
    ['gemini', '.gemini/settings.json', 'a comment', nestSetting('"a": 1 // hush hush')],
    ['gemini', '.gemini/settings.json', 'a comment over several lines', nestSetting('/* hush\n hush: "hush */ "a": 1')],
    [
      'claude-code',
      '.claude.json',
      'a file on one line',
      '{"x":"hush","mcpServers":{"other":{"env":{"PG":"hush \\"q\\" hush","B" : "hush"},"headers":["Bearer hush"]}}}',
    ],
    ['codex', '.codex/config.toml', 'a value over several lines', joinLines('a = """hush', 'hush hush', 'x = hush"""')],
    ['codex', '.codex/config.toml', 'a value in single quotes', "a = 'hush'"],
    ['codex', '.codex/config.toml', 'a comment after a value', 'a = "x" # hush = hush'],
    ['codex', '.codex/config.toml', 'a last line without a line break', 'b = 1\na = "hush"'],
    [
      'goose',
      '.config/goose/config.yaml',
      'a value without quotes',
      joinLines('a: hush', 'extensions:', '  other:', '    PG: me:hush@db', ''),
    ],
    [
      'goose',
      '.config/goose/config.yaml',
      'a block value',
      joinLines('extensions:', '  other:', '    PG: |', '      hush', '      hush', ''),
    ],
    [
      'goose',
      '.config/goose/config.yaml',
      'a list',
      joinLines('extensions:', '  other:', '    args:', '      - hush: hush', '      - "hush', '         hush"', ''),
    ],
  ];

  test.each(hushed)('the preview for %s hides other values in %s: %s', async (client, file, _what, before) => {
    writeSettings(file, before);
    writeSettings('.claude/x', '');
    const own = createMachine();
    const { lines: shown } = await own.plan(client);
    const text = shown.map((line) => line.text).join('\n');
    expect(text.replaceAll(/hush(?=["']?:)/g, '')).not.toMatch(/hush|40719/);
    // The companion's own entry is shown in full.
    expect(text).toContain('listing-companion');
    expect(text).toContain(JSON.stringify(process.execPath));
    expect(text).toMatch(/lci_[\w-]{20,}/);
  });

  test('the preview shows the names of the settings around a change', async () => {
    writeSettings(
      '.claude.json',
      '{\n  "theme": "dark",\n  "mcpServers": {\n    "other": { "command": "x" }\n  }\n}\n',
    );
    writeSettings('.claude/x', '');
    const shown = (await createMachine().plan('claude-code')).lines.filter(({ kind }) => kind === 'same');
    expect(shown.map(({ text }) => text)).toEqual([
      '  "theme": "…",',
      '  "mcpServers": {',
      '    "other": { "command": "…" }',
      '  }',
    ]);
  });
});

test('a very long line does not block the preview', async () => {
  writeSettings('.gemini/settings.json', `{\n  "a": "${'key'.repeat(500_000)}"\n}\n`);
  expect((await createMachine().plan('gemini')).lines.length).toBeGreaterThan(0);
});

test('a read-only settings file is reported and not changed', async () => {
  const file = writeSettings('.codex/config.toml', 'a = 1\n', 0o400);
  const own = createMachine();
  const { planId } = await own.plan('codex');
  await expect(own.connect('codex', planId)).rejects.toThrow('cannot be written');
  expect(readFileSync(file, 'utf8')).toBe('a = 1\n');
  expect(readdirSync(dirname(file))).toEqual(['config.toml']);
  expect(listPaired()).toEqual([]);
});

test('a circular link and a file in place of a folder are reported as unreadable', async () => {
  writeSettings('.cursor', 'a file');
  mkdirSync(join(home, '.codex'));
  symlinkSync('config.toml', join(home, '.codex', 'config.toml'));
  const own = createMachine();
  for (const id of ['cursor', 'codex'] as const) {
    await expect(own.plan(id)).rejects.toThrow('cannot be read');
    expect(await own.byId(id)).toMatchObject({ state: 'blocked', problem: { code: 'SETTINGS_UNREADABLE' } });
  }
});

test('another program never reads a half-written settings file', async () => {
  const before = `{ "theme": "dark" }${' '.repeat(1_000_000)}`;
  const file = writeSettings('.claude.json', before);
  writeSettings('.claude/x', '');
  const own = createMachine();
  const { planId } = await own.plan('claude-code');
  const seen = new Set<string>();
  let over = false;
  const readRepeatedly = (): void => {
    seen.add(existsSync(file) ? readFileSync(file, 'utf8') : 'no file');
    if (!over) setImmediate(readRepeatedly);
  };
  readRepeatedly();
  await own.connect('claude-code', planId).finally(() => (over = true));
  const after = readFileSync(file, 'utf8');
  expect(after).not.toBe(before);
  expect(seen.size).toBeGreaterThan(0);
  for (const text of seen) expect([before, after].includes(text)).toBe(true);
});

test('if the backup copy fails, the settings stay unchanged and no client is paired', async () => {
  const file = writeSettings('.codex/config.toml', 'a = 1\n');
  const own = createMachine();
  const { planId } = await own.plan('codex');
  // A folder in place of the backup copy makes the rename fail.
  mkdirSync(join(`${file}.before-listing-companion`, 'x'), { recursive: true });
  await expect(own.connect('codex', planId)).rejects.toThrow('cannot be written');
  expect(readFileSync(file, 'utf8')).toBe('a = 1\n');
  expect(readdirSync(dirname(file)).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  expect(listPaired()).toEqual([]);
});
