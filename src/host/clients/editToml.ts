import { parse } from 'smol-toml';
import type { SettingsEditor } from './settingsEditor.ts';
import { tomlSection } from './writeEntry.ts';

const lineBreak = (text: string): string => (text.includes('\r\n') ? '\r\n' : '\n');

/** The parts of a header, `[a."b.c"]`; null of any other line. */
const headerOf = (line: string): string | null =>
  /^\s*\[\s*([^[\]]+?)\s*\]\s*(#.*)?$/.exec(line)?.[1]?.replaceAll(/["'\s]/g, '') ?? null;

const isSection = (line: string): boolean => /^\s*\[/.test(line);

/** Takes out whole sections: that of the path and those below it. */
const withoutSections = (text: string, path: readonly string[]): string => {
  const own = path.join('.');
  let isOurs = false;
  const kept = text.split(/(?<=\n)/).filter((line) => {
    const header = headerOf(line);
    if (isSection(line)) isOurs = header === own || (header?.startsWith(`${own}.`) ?? false);
    return !isOurs;
  });
  return kept.join('');
};

/** TOML: the entry is a section of its own at the end, so that nothing before it is touched. */
export const tomlEditor: SettingsEditor = {
  read: (text) => parse(text),
  add: (text, path, entry) => {
    const end = lineBreak(text);
    const before = text === '' || text.endsWith('\n') ? text : `${text}${end}`;
    const gap = before.trim() === '' ? '' : end;
    return `${before}${gap}${tomlSection(path, entry).replaceAll('\n', end)}${end}`;
  },
  remove: withoutSections,
};
