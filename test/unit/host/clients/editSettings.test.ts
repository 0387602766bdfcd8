import { describe, expect, test } from 'vitest';
import {
  addSettingsEntry,
  getSettingsEntry,
  removeSettingsEntry,
  type SettingsShape,
} from '../../../../src/host/clients/editSettings.ts';

const entry = { command: '/opt/Robin’s "own"/node', args: ['mcp', '--identity', 'lci_x'] };
const shape = (format: SettingsShape['format'], servers: string): SettingsShape => ({
  ...{ format, servers, name: 'listing-companion' },
});
const json = shape('json', 'mcpServers');
const jsonc = shape('jsonc', 'servers');
const toml = shape('toml', 'mcp_servers');
const yaml = shape('yaml', 'extensions');

const commented = `{
\t// My servers, do not sort.
\t"servers": {
\t\t"zebra": { "command": "z" }, /* the old one */
\t\t"apple": { "command": "a" },
\t},
\t"inputs": [],
}
`;
const codex = `# Mine
model = "gpt"   # the good one

[mcp_servers.zebra]
command = "z"
when = 2026-01-02T03:04:05Z

[mcp_servers.zebra.env]
A = """
[mcp_servers.fake]
"""

[tui]
theme = "dark"`;
const goose = `# Goose
GOOSE_MODEL: large   # the good one
extensions:
    # first mine
    zebra:
        cmd: z
        enabled: true

    apple: { cmd: a }
other:
  - 1
`;

describe.each([
  ['JSON with comments', jsonc, commented, ['// My servers, do not sort.', '/* the old one */']],
  ['TOML', toml, codex, ['# Mine', '# the good one', '[mcp_servers.fake]']],
  ['YAML', yaml, goose, ['# Goose', '# the good one', '# first mine']],
  ['JSON', json, '{"mcpServers":{"zebra":{"command":"z"}},"other":[1,2]}', []],
  ['JSON with Windows line ends', json, '{\r\n    "other": 1\r\n}\r\n', []],
  ['JSON behind a byte order mark', json, '\uFEFF{}', []],
  ['an empty map of YAML', yaml, 'extensions: {}\nother: 1\n', []],
  ['a map of YAML without anything', yaml, 'extensions:\nother: 1\n', []],
  ['YAML without the field', yaml, 'other: 1', []],
] as const)('client settings in the format "%s"', (_name, form, text, kept) => {
  const added = addSettingsEntry(form, text, entry);

  test('accept a new entry and keep everything else unchanged', () => {
    expect(getSettingsEntry(form, added)).toEqual(entry);
    for (const comment of kept) expect(added).toContain(comment);
    // Nothing but whole lines came in: without them, the text is the old one.
    const before = text.split(/\r?\n/).filter((line) => line.trim() !== '' && line.trim() !== '{}');
    const after = added.split(/\r?\n/);
    if (text.includes('\n') && kept.length > 0) for (const line of before) expect(after).toContain(line);
    expect(added.includes('\r\n')).toBe(text.includes('\r\n'));
  });

  test('allow the entry to be replaced and removed', () => {
    const other = { ...entry, args: ['other'] };
    expect(getSettingsEntry(form, addSettingsEntry(form, added, other))).toEqual(other);
    const removed = removeSettingsEntry(form, added);
    expect(getSettingsEntry(form, removed)).toBeNull();
    for (const comment of kept) expect(removed).toContain(comment);
    expect(removeSettingsEntry(form, text)).toBe(text);
  });
});

test.each([
  [
    'the first of others',
    jsonc,
    '{\n  "servers": {\n    // the best\n    "zebra": { "command": "z" } // old\n    // end\n  }\n}\n',
  ],
  ['the only one', jsonc, '{\n  "servers": {\n    // none yet\n  }\n}\n'],
  ['among others on one line', json, '{"mcpServers":{"zebra":{"command":"z"},"apple":{}},"a":1}'],
  ['a map of YAML with a remark', yaml, 'extensions: {}   # mine\nother:  [1,   2]\n'],
  ['a map of YAML with a remark below', yaml, 'extensions: {}\n  # mine\nother: 1\n'],
  ['YAML that a writer would fold', yaml, `other: "${'long '.repeat(40)}"\nextensions: {}\n`],
] as const)('removing an entry restores the original text: %s', (_name, form, text) => {
  expect(removeSettingsEntry(form, addSettingsEntry(form, text, entry))).toBe(text);
});

test.each([
  [
    'JSON with comments',
    jsonc,
    '{\n  "servers": {\n    "zebra": {}, // last\n    OURS // beside\n  }\n}\n',
    ['// last', '// beside'],
  ],
  [
    'JSON with a comment before the comma',
    jsonc,
    '{ "servers": { OURS /* one */ , /* two */ "a": {} } }',
    ['/* one */', '/* two */'],
  ],
] as const)('removing an entry that the person moved keeps the comments around it: %s', (_name, form, text, kept) => {
  const removed = removeSettingsEntry(form, text.replace('OURS', `"listing-companion": ${JSON.stringify(entry)}`));
  for (const comment of kept) expect(removed).toContain(comment);
  expect(getSettingsEntry(form, removed)).toBeNull();
});

test('removing an entry from TOML keeps a comment that follows it', () => {
  const added = `${addSettingsEntry(toml, 'a = 1\n', entry)}\n# Mine.\n[tui]\ntheme = "dark"\n`;
  expect(removeSettingsEntry(toml, added)).toBe('a = 1\n\n# Mine.\n[tui]\ntheme = "dark"\n');
});

test('adding an entry to an empty YAML map keeps the map’s comment', () => {
  expect(addSettingsEntry(yaml, 'extensions:   # mine\nother: 1\n', entry)).toContain('extensions:   # mine\n');
  expect(addSettingsEntry(yaml, 'extensions: {} # mine', entry)).toContain('# mine\n');
});

test.each([
  ['json', '{ "mcpServers": '],
  ['json', '{} // a comment in what takes none'],
  ['json', '[]'],
  ['json', '{ "mcpServers": [] }'],
  ['jsonc', '{ "a": 1 "b": 2 }'],
  ['toml', 'a = = 1'],
  ['toml', 'mcpServers = 1'],
  ['yaml', 'a: [1'],
  ['yaml', '- 1'],
] as const)('a %s file with a mistake is refused: %s', (format, text) => {
  expect(() => addSettingsEntry(shape(format, 'mcpServers'), text, entry)).toThrow('There is a mistake in');
});

test.each([
  ['toml', 'mcp_servers = { zebra = { command = "z" } }'],
  ['yaml', 'mcp_servers: { zebra: { cmd: z } }'],
] as const)('settings that cannot be edited without changing the rest are left to the person: %s', (format, text) => {
  expect(() => addSettingsEntry(shape(format, 'mcp_servers'), text, entry)).toThrow('Nothing was written');
});
