import { isMap, isScalar, parse, parseDocument, type Pair } from 'yaml';
import type { SettingsEditor } from './settingsEditor.ts';
import { yamlLines } from './writeEntry.ts';

const lineBreak = (text: string): string => (text.includes('\r\n') ? '\r\n' : '\n');
const startOfLine = (text: string, at: number): number => text.lastIndexOf('\n', at - 1) + 1;
const endOfLine = (text: string, at: number): number => {
  const end = text.indexOf('\n', at);
  return end === -1 ? text.length : end + 1;
};

const pairsIn = (node: unknown): Pair[] => (isMap(node) ? node.items : []);
const pairOf = (node: unknown, name: string): Pair | undefined =>
  pairsIn(node).find(({ key }) => isScalar(key) && key.value === name);
const keyStart = (pair: Pair | undefined): number | undefined =>
  isScalar(pair?.key) ? pair.key.range?.[0] : undefined;

const add = (text: string, [servers = '', name = '']: string[], entry: Record<string, unknown>): string => {
  const end = lineBreak(text);
  const found = pairOf(parseDocument(text).contents, servers);
  if (found === undefined) {
    const before = text === '' || text.endsWith('\n') ? text : `${text}${end}`;
    return `${before}${yamlLines({ [servers]: { [name]: entry } }, '').join(end)}${end}`;
  }
  const first = keyStart(pairsIn(found.value)[0]);
  if (first !== undefined) {
    const at = startOfLine(text, first);
    const lines = yamlLines({ [name]: entry }, text.slice(at, first)).join(end);
    return `${text.slice(0, at)}${lines}${end}${text.slice(at)}`;
  }
  // Nothing, or an empty map between braces.
  const at = endOfLine(text, keyStart(found) ?? 0);
  const head = `${servers}:${end}${yamlLines({ [name]: entry }, '  ').join(end)}${end}`;
  return `${text.slice(0, keyStart(found))}${head}${text.slice(at)}`;
};

const remove = (text: string, [servers = '', name = '']: string[]): string => {
  const document = parseDocument(text);
  const map = pairOf(document.contents, servers)?.value;
  const own = pairOf(map, name);
  const start = keyStart(own);
  if (start === undefined) return text;
  if (pairsIn(map).length === 1) {
    document.setIn([servers], {});
    return document.toString();
  }
  const at = startOfLine(text, start);
  const value = isMap(own?.value) ? own.value.range?.[1] : undefined;
  const last = endOfLine(text, Math.max(start, (value ?? start) - 1));
  return `${text.slice(0, at)}${text.slice(last)}`;
};

/** YAML: the entry is put before the others of its map, as text, so that comments and order stay. */
export const yamlEditor: SettingsEditor = { read: (text) => (parse(text) as unknown) ?? {}, add, remove };
