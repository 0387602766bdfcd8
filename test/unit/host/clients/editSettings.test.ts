import { describe, expect, test } from 'vitest';
import {
  addSettingsEntry,
  getSettingsEntry,
  removeSettingsEntry,
  type SettingsShape,
} from '../../../../src/host/clients/editSettings.ts';

const entry = { command: '/opt/Robin’s "own"/node', args: ['mcp', '--identity', 'lci_x'] };
const createShape = (format: SettingsShape['format'], servers: string): SettingsShape => ({
  ...{ format, servers, name: 'listing-companion' },
});
const json = createShape('json', 'mcpServers');
const jsonc = createShape('jsonc', 'servers');
const toml = createShape('toml', 'mcp_servers');
const yaml = createShape('yaml', 'extensions');

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
  ['JSON with Windows line endings', json, '{\r\n    "other": 1\r\n}\r\n', []],
  ['JSON after a byte order mark', json, '\uFEFF{}', []],
  ['YAML with an empty map', yaml, 'extensions: {}\nother: 1\n', []],
  ['YAML with a map that is null', yaml, 'extensions:\nother: 1\n', []],
  ['YAML without the field', yaml, 'other: 1', []],
] as const)('client settings in the format "%s"', (_name, form, text, kept) => {
  const added = addSettingsEntry(form, text, entry);

  test('accept a new entry and keep everything else unchanged', () => {
    expect(getSettingsEntry(form, added)).toEqual(entry);
    for (const comment of kept) expect(added).toContain(comment);
    // Only whole lines were added, so every original line is still present.
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
    'a map with other entries',
    jsonc,
    '{\n  "servers": {\n    // the best\n    "zebra": { "command": "z" } // old\n    // end\n  }\n}\n',
  ],
  ['a map without other entries', jsonc, '{\n  "servers": {\n    // none yet\n  }\n}\n'],
  ['several entries on one line', json, '{"mcpServers":{"zebra":{"command":"z"},"apple":{}},"a":1}'],
  ['a YAML map with a comment', yaml, 'extensions: {}   # mine\nother:  [1,   2]\n'],
  ['a YAML map with a comment below', yaml, 'extensions: {}\n  # mine\nother: 1\n'],
  ['YAML with a long line', yaml, `other: "${'long '.repeat(40)}"\nextensions: {}\n`],
] as const)('the removal of an added entry restores the original text: %s', (_name, form, text) => {
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
] as const)(
  'the removal of a manually moved entry keeps the comments around the entry: %s',
  (_name, form, text, kept) => {
    const removed = removeSettingsEntry(form, text.replace('OURS', `"listing-companion": ${JSON.stringify(entry)}`));
    for (const comment of kept) expect(removed).toContain(comment);
    expect(getSettingsEntry(form, removed)).toBeNull();
  },
);

test('the removal of an entry from TOML keeps a comment after the entry', () => {
  const added = `${addSettingsEntry(toml, 'a = 1\n', entry)}\n# Mine.\n[tui]\ntheme = "dark"\n`;
  expect(removeSettingsEntry(toml, added)).toBe('a = 1\n\n# Mine.\n[tui]\ntheme = "dark"\n');
});

test('a comment on an empty YAML map is kept when an entry is added', () => {
  expect(addSettingsEntry(yaml, 'extensions:   # mine\nother: 1\n', entry)).toContain('extensions:   # mine\n');
  expect(addSettingsEntry(yaml, 'extensions: {} # mine', entry)).toContain('# mine\n');
});

test.each([
  ['json', '{ "mcpServers": '],
  ['json', '{} // a comment in plain JSON'],
  ['json', '[]'],
  ['json', '{ "mcpServers": [] }'],
  ['jsonc', '{ "a": 1 "b": 2 }'],
  ['toml', 'a = = 1'],
  ['toml', 'mcpServers = 1'],
  ['yaml', 'a: [1'],
  ['yaml', '- 1'],
] as const)('a %s file with a mistake is refused: %s', (format, text) => {
  expect(() => addSettingsEntry(createShape(format, 'mcpServers'), text, entry)).toThrow('There is a mistake in');
});

test.each([
  ['toml', 'mcp_servers = { zebra = { command = "z" } }'],
  ['yaml', 'mcp_servers: { zebra: { cmd: z } }'],
] as const)('settings in an unsupported notation are not changed: %s', (format, text) => {
  expect(() => addSettingsEntry(createShape(format, 'mcp_servers'), text, entry)).toThrow('Nothing was written');
});
