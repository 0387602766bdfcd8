import { applyEdits, findNodeAtLocation, modify, parse, parseTree, type Node, type ParseError } from 'jsonc-parser';
import type { SettingsEditor } from './settingsEditor.ts';

const errorsIn = (text: string, isStrict: boolean): ParseError[] => {
  const errors: ParseError[] = [];
  parse(text, errors, { disallowComments: isStrict, allowTrailingComma: !isStrict });
  return errors;
};

const whole = (text: string): string => (text.trim() === '' ? '{}\n' : text);
const indentOfLine = (text: string, at: number): string =>
  /^[ \t]*/.exec(text.slice(text.lastIndexOf('\n', at - 1) + 1))?.[0] ?? '';
/** One step to the right, as the file itself does it. */
const stepOf = (text: string): string => /\n([ \t]+)\S/.exec(text)?.[1] ?? '  ';

/** Puts a property first into an object: what stands there keeps its place on its lines, with its comments. */
const putFirst = (text: string, { offset, children = [] }: Node, name: string, value: unknown): string => {
  const end = text.includes('\r\n') ? '\r\n' : '\n';
  const [outer, step] = [indentOfLine(text, offset), stepOf(text)];
  const isOneLine = !text.trim().includes('\n') && text.trim() !== '{}';
  const [before, after] = [text.slice(0, offset + 1), text.slice(offset + 1)];
  const comma = children.length > 0 ? ',' : '';
  if (isOneLine) return `${before}${JSON.stringify(name)}:${JSON.stringify(value)}${comma}${after}`;
  const inner =
    children[0] === undefined ? `${outer}${step}` : indentOfLine(text, children[0].offset) || `${outer}${step}`;
  const lines = JSON.stringify(value, null, step).split('\n').join(`${end}${inner}`);
  const property = `${end}${inner}${JSON.stringify(name)}: ${lines}${comma}`;
  const closes = /^[ \t]*\}/.test(after) ? `${end}${outer}` : '';
  return `${before}${property}${closes}${closes === '' ? after : after.trimStart()}`;
};

const add = (text: string, [servers = '', name = '']: string[], entry: Record<string, unknown>): string => {
  const base = whole(text);
  const root = parseTree(base, [], { allowTrailingComma: true });
  if (root === undefined) throw new SyntaxError('The settings are no JSON.');
  const among = findNodeAtLocation(root, [servers]);
  return among === undefined ? putFirst(base, root, servers, { [name]: entry }) : putFirst(base, among, name, entry);
};

/** JSON, and JSON with comments: all that is not the entry stays as it is written. */
export const jsonEditor = (isStrict: boolean): SettingsEditor => ({
  read: (text) => {
    if (text.trim() === '') return {};
    if (errorsIn(text, isStrict).length > 0) throw new SyntaxError('The settings are no JSON.');
    return parse(text, [], { allowTrailingComma: !isStrict }) as unknown;
  },
  add,
  remove: (text, path) => applyEdits(text, modify(text, path, undefined, {})),
});
