import { parse as parseToml } from 'smol-toml';
import { isMap, isNode, isScalar, parse as parseYaml, parseDocument, type Pair } from 'yaml';
import {
  applyEdits,
  createScanner,
  findNodeAtLocation,
  parse,
  parseTree,
  type Node,
  type ParseError,
} from 'jsonc-parser';
import type { SettingsFormat } from './clientTable.ts';

/** Returns a text that is valid in JSON, TOML and YAML. A value is a string, a number, a boolean or a list of these. */
const formatInlineValue = (value: unknown): string =>
  Array.isArray(value)
    ? `[${value.map(formatInlineValue).join(', ')}]`
    : JSON.stringify(value).replaceAll('\u007f', '\\u007f');

const isEntryTable = (value: unknown): value is Entry =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const formatTomlSection = (path: readonly string[], entry: Entry): string => {
  const own = Object.entries(entry).filter(([, value]) => !isEntryTable(value));
  const below = Object.entries(entry).filter(([, value]) => isEntryTable(value));
  return [
    `[${path.join('.')}]`,
    ...own.map(([key, value]) => `${key} = ${formatInlineValue(value)}`),
    ...below.map(([key, value]) => `\n${formatTomlSection([...path, key], isEntryTable(value) ? value : {})}`),
  ].join('\n');
};

const formatYamlLines = (entry: Entry, indent: string, step = '  '): string[] =>
  Object.entries(entry).flatMap(([key, value]) =>
    isEntryTable(value)
      ? [`${indent}${key}:`, ...formatYamlLines(value, indent + step, step)]
      : [`${indent}${key}: ${formatInlineValue(value)}`],
  );

export const createSettingsText = (format: SettingsFormat, servers: string, name: string, entry: Entry): string => {
  if (format === 'toml') return formatTomlSection([servers, name], entry);
  if (format === 'yaml') return formatYamlLines({ [servers]: { [name]: entry } }, '').join('\n');
  return JSON.stringify({ [servers]: { [name]: entry } }, null, 2);
};

export type Entry = Record<string, unknown>;

/** The caller must verify a changed text before it writes the text to a file. */
export type SettingsEditor = {
  read: (text: string) => unknown;
  add: (text: string, path: string[], entry: Entry) => string;
  remove: (text: string, path: string[]) => string;
};

const detectLineBreak = (text: string): string => (text.includes('\r\n') ? '\r\n' : '\n');

/** Parses a header such as `[a."b.c"]`, and returns null for any other line. */
const parseTomlHeader = (line: string): string | null =>
  /^\s*\[\s*([^[\]]+?)\s*\]\s*(#.*)?$/.exec(line)?.[1]?.replaceAll(/["'\s]/g, '') ?? null;

const isTomlSection = (line: string): boolean => /^\s*\[/.test(line);

/** Keeps the comments in the section, because the person might have written them. */
const removeTomlSections = (text: string, path: readonly string[]): string => {
  const own = path.join('.');
  let isOurs = false;
  const kept = text.split(/(?<=\n)/).filter((line) => {
    const header = parseTomlHeader(line);
    if (isTomlSection(line)) isOurs = header === own || (header?.startsWith(`${own}.`) ?? false);
    return !isOurs || /^\s*#/.test(line);
  });
  return kept.join('');
};

/** The entry becomes the last section, so that no earlier line changes. */
export const tomlEditor: SettingsEditor = {
  read: (text) => parseToml(text),
  add: (text, path, entry) => {
    const end = detectLineBreak(text);
    const before = text === '' || text.endsWith('\n') ? text : `${text}${end}`;
    const gap = before.trim() === '' ? '' : end;
    return `${before}${gap}${formatTomlSection(path, entry).replaceAll('\n', end)}${end}`;
  },
  remove: removeTomlSections,
};

const findLineStart = (text: string, at: number): number => text.lastIndexOf('\n', at - 1) + 1;
const findLineEnd = (text: string, at: number): number => {
  const end = text.indexOf('\n', at);
  return end === -1 ? text.length : end + 1;
};

const listMapPairs = (node: unknown): Pair[] => (isMap(node) ? node.items : []);
const findMapPair = (node: unknown, name: string): Pair | undefined =>
  listMapPairs(node).find(({ key }) => isScalar(key) && key.value === name);
const getNodeRange = (node: unknown): readonly number[] | undefined =>
  isNode(node) ? (node.range ?? undefined) : undefined;
const findKeyStart = (pair: Pair | undefined): number | undefined =>
  isScalar(pair?.key) ? pair.key.range?.[0] : undefined;

const addYamlEntry = (text: string, [servers = '', name = '']: string[], entry: Record<string, unknown>): string => {
  const end = detectLineBreak(text);
  const found = findMapPair(parseDocument(text).contents, servers);
  if (found === undefined) {
    const before = text === '' || text.endsWith('\n') ? text : `${text}${end}`;
    return `${before}${formatYamlLines({ [servers]: { [name]: entry } }, '').join(end)}${end}`;
  }
  const first = findKeyStart(listMapPairs(found.value)[0]);
  if (first !== undefined) {
    const at = findLineStart(text, first);
    const lines = formatYamlLines({ [name]: entry }, text.slice(at, first)).join(end);
    return `${text.slice(0, at)}${lines}${end}${text.slice(at)}`;
  }
  // The field has no value or an empty inline map, so remove the value and keep a comment on this line.
  const [from, to] = getNodeRange(found.value) ?? [0, 0];
  const kept = text.slice(0, from);
  const base = `${from === to ? kept : kept.trimEnd()}${text.slice(to)}`;
  const at = findLineEnd(base, findKeyStart(found) ?? 0);
  const head = base.slice(0, at).endsWith('\n') ? base.slice(0, at) : `${base}${end}`;
  return `${head}${formatYamlLines({ [name]: entry }, '  ').join(end)}${end}${base.slice(at)}`;
};

const removeYamlEntry = (text: string, [servers = '', name = '']: string[]): string => {
  const found = findMapPair(parseDocument(text).contents, servers);
  const own = findMapPair(found?.value, name);
  const start = findKeyStart(own);
  if (found === undefined || start === undefined) return text;
  const at = findLineStart(text, start);
  const last = findLineEnd(
    text,
    Math.max(start, (isMap(own?.value) ? (getNodeRange(own.value)?.[1] ?? start) : start) - 1),
  );
  const rest = `${text.slice(0, at)}${text.slice(last)}`;
  if (listMapPairs(found.value).length > 1) return rest;
  // Without a value the field would be null, so it gets an empty map.
  const colon = text.indexOf(':', getNodeRange(found.key)?.[1]) + 1;
  return `${rest.slice(0, colon)} {}${rest.slice(colon)}`;
};

/** The entry is inserted before the other entries as text, so that comments and the order stay unchanged. */
export const yamlEditor: SettingsEditor = {
  read: (text) => (parseYaml(text) as unknown) ?? {},
  add: addYamlEntry,
  remove: removeYamlEntry,
};

const findJsonErrors = (text: string, isStrict: boolean): ParseError[] => {
  const errors: ParseError[] = [];
  parse(text, errors, { disallowComments: isStrict, allowTrailingComma: !isStrict });
  return errors;
};

const toNonemptyJson = (text: string): string => (text.trim() === '' ? '{}\n' : text);
const getLineIndent = (text: string, at: number): string =>
  /^[ \t]*/.exec(text.slice(text.lastIndexOf('\n', at - 1) + 1))?.[0] ?? '';
const detectIndentStep = (text: string): string => /\n([ \t]+)\S/.exec(text)?.[1] ?? '  ';

/** Existing properties keep their lines and comments because the new property comes first. */
const insertFirstProperty = (text: string, { offset, children = [] }: Node, name: string, value: unknown): string => {
  const end = text.includes('\r\n') ? '\r\n' : '\n';
  const [outer, step] = [getLineIndent(text, offset), detectIndentStep(text)];
  const isOneLine = !text.trim().includes('\n') && text.trim() !== '{}';
  const [before, after] = [text.slice(0, offset + 1), text.slice(offset + 1)];
  const comma = children.length > 0 ? ',' : '';
  if (isOneLine) return `${before}${JSON.stringify(name)}:${JSON.stringify(value)}${comma}${after}`;
  const inner =
    children[0] === undefined ? `${outer}${step}` : getLineIndent(text, children[0].offset) || `${outer}${step}`;
  const lines = JSON.stringify(value, null, step).split('\n').join(`${end}${inner}`);
  const property = `${end}${inner}${JSON.stringify(name)}: ${lines}${comma}`;
  const closes = /^[ \t]*\}/.test(after) ? `${end}${outer}` : '';
  return `${before}${property}${closes}${closes === '' ? after : after.trimStart()}`;
};

const addJsonEntry = (text: string, [servers = '', name = '']: string[], entry: Record<string, unknown>): string => {
  const base = toNonemptyJson(text);
  const root = parseTree(base, [], { allowTrailingComma: true });
  if (root === undefined) throw new SyntaxError('The settings are no JSON.');
  const among = findNodeAtLocation(root, [servers]);
  return among === undefined
    ? insertFirstProperty(base, root, servers, { [name]: entry })
    : insertFirstProperty(base, among, name, entry);
};

const findNextComma = (text: string, { offset, length }: Node): number | null => {
  const scanner = createScanner(text, true);
  scanner.setPosition(offset + length);
  scanner.scan();
  const at = scanner.getTokenOffset();
  return text[at] === ',' ? at : null;
};

const removeJsonEntry = (text: string, path: string[]): string => {
  const root = parseTree(text, [], { allowTrailingComma: true });
  const property = root && findNodeAtLocation(root, path)?.parent;
  if (property === undefined) return text;
  const among = property.parent?.children ?? [];
  const before = among[among.indexOf(property) - 1];
  const comma = findNextComma(text, property) ?? (before === undefined ? null : findNextComma(text, before));
  const end = property.offset + property.length;
  const last = comma === end ? end + 1 : end;
  const line = findLineStart(text, property.offset);
  const blank = /^[ \t]*\r?\n/.exec(text.slice(last))?.[0];
  const isAlone = blank !== undefined && text.slice(line, property.offset).trim() === '';
  const from = isAlone ? line : text.slice(0, property.offset).trimEnd().length;
  const to = isAlone ? last + blank.length : last;
  const other = comma === null || comma === end ? [] : [{ offset: comma, length: 1, content: '' }];
  return applyEdits(text, [{ offset: from, length: to - from, content: '' }, ...other]);
};

export const createJsonEditor = (isStrict: boolean): SettingsEditor => ({
  read: (text) => {
    if (text.trim() === '') return {};
    if (findJsonErrors(text, isStrict).length > 0) throw new SyntaxError('The settings are no JSON.');
    return parse(text, [], { allowTrailingComma: !isStrict }) as unknown;
  },
  add: addJsonEntry,
  remove: removeJsonEntry,
});
