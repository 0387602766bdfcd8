import type { SettingsFormat } from './clientTable.ts';

/** A value on one line, as JSON, TOML and YAML all read it: of strings, numbers, booleans and lists of them. */
const inlineValue = (value: unknown): string =>
  Array.isArray(value)
    ? `[${value.map(inlineValue).join(', ')}]`
    : JSON.stringify(value).replaceAll('\u007f', '\\u007f');

const isTable = (value: unknown): value is Entry =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** An entry as a section of TOML, with a section below it for each of its own. */
export const tomlSection = (path: readonly string[], entry: Entry): string => {
  const own = Object.entries(entry).filter(([, value]) => !isTable(value));
  const below = Object.entries(entry).filter(([, value]) => isTable(value));
  return [
    `[${path.join('.')}]`,
    ...own.map(([key, value]) => `${key} = ${inlineValue(value)}`),
    ...below.map(([key, value]) => `\n${tomlSection([...path, key], isTable(value) ? value : {})}`),
  ].join('\n');
};

/** An entry as the lines of a block of YAML, each behind the given indentation. */
export const yamlLines = (entry: Entry, indent: string, step = '  '): string[] =>
  Object.entries(entry).flatMap(([key, value]) =>
    isTable(value)
      ? [`${indent}${key}:`, ...yamlLines(value, indent + step, step)]
      : [`${indent}${key}: ${inlineValue(value)}`],
  );

/** A file of settings with nothing in it but this entry, below the field of the servers. */
export const settingsWith = (format: SettingsFormat, servers: string, name: string, entry: Entry): string => {
  if (format === 'toml') return tomlSection([servers, name], entry);
  if (format === 'yaml') return yamlLines({ [servers]: { [name]: entry } }, '').join('\n');
  return JSON.stringify({ [servers]: { [name]: entry } }, null, 2);
};

/** Our entry in a client's settings. */
export type Entry = Record<string, unknown>;

/** How settings of a format are read and changed. What it makes of a text is looked at again before anything is written. */
export type SettingsEditor = {
  /** Throws what is no text of this format. */
  read: (text: string) => unknown;
  /** Puts an entry at a path of two names where none is. */
  add: (text: string, path: string[], entry: Entry) => string;
  remove: (text: string, path: string[]) => string;
};
