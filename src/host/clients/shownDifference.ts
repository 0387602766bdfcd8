import { structuredPatch } from 'diff';
import type { DiffLine } from '../../ipc/clients.ts';
import type { SettingsFormat } from './clientTable.ts';

const contextLines = 2;
const kinds: Record<string, DiffLine['kind']> = { '+': 'added', '-': 'removed' };
const hidden = '…';

/** Every value in an entry, as a text. */
export const valuesIn = (entry: unknown): string[] => {
  if (typeof entry !== 'object' || entry === null) return [String(entry)];
  return Object.values(entry).flatMap(valuesIn);
};

const comments: Record<SettingsFormat, RegExp> = {
  json: /(?!)/y,
  jsonc: /\/[/*]/y,
  toml: /#/y,
  yaml: /#/y,
};
const header = /^\s*\[{1,2}[\w.\s"'-]+\]{1,2}\s*$/;
/** A name without quotes, which begins a line of TOML or YAML. */
const bareName = /^(\s*(?:-\s+)?[\w.-]+)(?=\s*[:=](?:\s|$))/;
const marks = /[\s{}[\],:=]+/y;
const quoted = /"(?:[^"\\]|\\.)*"|'[^']*'/y;
const isNameAt = /\s*:/y;
const bare = /[^\s{}[\],]+/y;

const at = (pattern: RegExp, text: string, from: number): string | null => {
  pattern.lastIndex = from;
  return pattern.exec(text)?.[0] ?? null;
};

/** The text between the quotes, as the languages of settings all write simple ones. */
const unquoted = (text: string): string | null => {
  try {
    return text.startsWith('"') ? String(JSON.parse(text)) : text.slice(1, -1);
  } catch {
    return null;
  }
};

/** A line with the names in it and none of its values but those of ours: what it is a part of may have begun lines before. */
const shownLine = (line: string, format: SettingsFormat, ours: ReadonlySet<string>): string => {
  if (format === 'toml' && header.test(line)) return line;
  let shown = format === 'json' || format === 'jsonc' ? '' : (bareName.exec(line)?.[1] ?? '');
  for (let from = shown.length; from < line.length;) {
    if (at(comments[format], line, from) !== null) return `${shown}${hidden}`;
    const mark = at(marks, line, from);
    const text = mark ?? at(quoted, line, from) ?? at(bare, line, from) ?? line.slice(from);
    from += text.length;
    if (mark !== null) shown += mark;
    else if (/^(["']).*\1$/s.test(text) && text.length > 1) {
      const isShown = at(isNameAt, line, from) !== null || ours.has(unquoted(text) ?? hidden);
      shown += isShown ? text : `${text[0]}${hidden}${text[0]}`;
    } else shown += ours.has(text) ? text : hidden;
  }
  return shown.replaceAll(/…(?:[\s:=]*…)+/g, hidden);
};

/** What changes between two texts, with the names of a few lines around it. Of values only `ours` are shown. */
export const shownDifference = (
  [before, after]: readonly [before: string, after: string],
  format: SettingsFormat,
  ours: ReadonlySet<string>,
): DiffLine[] =>
  structuredPatch('', '', before, after, '', '', { context: contextLines }).hunks.flatMap(({ lines }) =>
    lines
      .filter((line) => !line.startsWith('\\'))
      .map((line) => ({
        kind: kinds[line[0] ?? ''] ?? 'same',
        text: shownLine(line.slice(1).replace(/\r$/, ''), format, ours),
      })),
  );
