import { createHash } from 'node:crypto';

/** A row of the interface document: its key, and its line for readers of a failure. */
export type InterfaceRow = { key: string; line: number };

const hash = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 8);
const cellsOf = (line: string): string[] =>
  line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());

type Section = { keys: (line: string) => string[] };

const isHead = (line: string): boolean => /^\|[-|]+\|$/.test(line);

/** Reads the rows below a table's header line. A row without a code has the hash of its text as its key. */
const table = (key: (cells: string[], line: string) => string): Section => {
  let below = false;
  return {
    keys: (line) => {
      if (!line.startsWith('|')) {
        below = false;
        return [];
      }
      if (isHead(line)) below = true;
      return below && !isHead(line) ? [key(cellsOf(line), line)] : [];
    },
  };
};

const bullets = (name: string): Section => ({
  keys: (line) => (line.startsWith('- ') ? [`${name} ${hash(line)}`] : []),
});

/** Reads the parts of a sentence that lists them after a colon, separated by semicolons. */
const parts = (name: string, opening: string): Section => ({
  keys: (line) =>
    line.startsWith(opening)
      ? line
          .slice(opening.length)
          .replace(/\.$/, '')
          .split('; ')
          .map((part) => `${name} ${hash(part.trim())}`)
      : [],
});

const numbered = (name: string): Section => {
  let outer = '';
  return {
    keys: (line) => {
      const own = /^(\d+)\. /.exec(line)?.[1];
      const inner = /^ +(\d+)\. /.exec(line)?.[1];
      if (own !== undefined) outer = own;
      if (own !== undefined) return [`${name} ${own}`];
      return inner === undefined ? [] : [`${name} ${outer}.${inner}`];
    },
  };
};

const sections: Record<string, () => Section[]> = {
  'States and transitions': () => [
    table((_cells, line) => `state ${hash(line)}`),
    bullets('lifecycle'),
    { keys: (line) => (line.startsWith('Transition into') ? [`state ${hash(line)}`] : []) },
  ],
  'Billing and credits': () => [parts('extras', 'Extras rules: ')],
  Authentication: () => [numbered('auth')],
  Events: () => [bullets('event')],
  Errors: () => [table(([status]) => `status ${status}`)],
  'Per-operation codes': () => [table(([operation, code]) => `${operation} ${code}`)],
  'Publish refusals (`code` in the error body)': () => [
    table(([code]) => `publish ${code}`),
    parts('refusal', 'Other refusals stated without a code: '),
  ],
  Limits: () => [table((_cells, line) => `limit ${hash(line)}`)],
};

/** Returns every row of the interface document that a service must satisfy, in the document's order. */
export const interfaceRows = (document: string): InterfaceRow[] => {
  let readers: Section[] = [];
  return document.split('\n').flatMap((raw, at) => {
    const line = raw.trimEnd();
    const title = /^#+ (.*)$/.exec(line)?.[1];
    if (title !== undefined) readers = sections[title]?.() ?? [];
    return readers.flatMap(({ keys }) => keys(line).map((key) => ({ key, line: at + 1 })));
  });
};
