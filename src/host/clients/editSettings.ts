import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import { createProblem } from '../../core/base/problem.ts';
import type { SettingsFormat } from './clientTable.ts';
import { createJsonEditor, tomlEditor, yamlEditor, type Entry, type SettingsEditor } from './settingsFormats.ts';

const editors: Record<SettingsFormat, SettingsEditor> = {
  json: createJsonEditor(true),
  jsonc: createJsonEditor(false),
  toml: tomlEditor,
  yaml: yamlEditor,
};

const table = z.record(z.string(), z.unknown());

/** `servers` is the field that contains the MCP servers, and `name` is the key of our entry. */
export type SettingsShape = { format: SettingsFormat; servers: string; name: string };

/** Each parser returns objects of its own classes, which a deep comparison treats as different. */
const toPlainData = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

const splitByteOrderMark = (text: string): [mark: string, rest: string] =>
  text.startsWith('\uFEFF') ? ['\uFEFF', text.slice(1)] : ['', text];

const parseSettingsText = ({ format, servers }: SettingsShape, text: string): { all: Entry; among: Entry } => {
  try {
    const all = table.parse(toPlainData(editors[format].read(text)));
    return { all, among: table.parse(all[servers] ?? {}) };
  } catch (error) {
    throw createProblem('SETTINGS_NOT_UNDERSTOOD', { cause: error });
  }
};

export const getSettingsEntry = (shape: SettingsShape, text: string): unknown =>
  parseSettingsText(shape, splitByteOrderMark(text)[1]).among[shape.name] ?? null;

const omitNamedEntry = (record: Entry, name: string): Entry =>
  Object.fromEntries(Object.entries(record).filter(([key]) => key !== name));

/** Throws `SETTINGS_NOT_CHANGED` if the change affected anything besides our entry. */
const applyVerifiedChange = (
  shape: SettingsShape,
  text: string,
  wanted: Entry,
  change: (text: string) => string,
): string => {
  const [mark, rest] = splitByteOrderMark(text);
  const { all } = parseSettingsText(shape, rest);
  try {
    const changed = change(rest);
    const made = parseSettingsText(shape, changed);
    const isAsWanted = isDeepStrictEqual(made.among, toPlainData(wanted));
    if (isAsWanted && isDeepStrictEqual(omitNamedEntry(made.all, shape.servers), omitNamedEntry(all, shape.servers)))
      return `${mark}${changed}`;
  } catch (error) {
    throw createProblem('SETTINGS_NOT_CHANGED', { cause: error });
  }
  throw createProblem('SETTINGS_NOT_CHANGED');
};

/** Keeps comments and the order of other entries. */
export const removeSettingsEntry = (shape: SettingsShape, text: string): string => {
  const { among } = parseSettingsText(shape, splitByteOrderMark(text)[1]);
  if (!Object.hasOwn(among, shape.name)) return text;
  const path = [shape.servers, shape.name];
  return applyVerifiedChange(shape, text, omitNamedEntry(among, shape.name), (rest) =>
    editors[shape.format].remove(rest, path),
  );
};

export const addSettingsEntry = (shape: SettingsShape, text: string, entry: Entry): string => {
  const base = removeSettingsEntry(shape, text);
  const { among } = parseSettingsText(shape, splitByteOrderMark(base)[1]);
  const path = [shape.servers, shape.name];
  return applyVerifiedChange(shape, base, { ...among, [shape.name]: entry }, (rest) =>
    editors[shape.format].add(rest, path, entry),
  );
};
