import { createHash } from 'node:crypto';

/** A row of the interface document: its key, and its line for readers of a failure. */
export type InterfaceRow = { key: string; line: number };

const hashText = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 8);
const splitCells = (line: string): string[] =>
  line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());

type Section = { keys: (line: string) => string[] };

const isHead = (line: string): boolean => /^\|[-|]+\|$/.test(line);

/** Reads the rows below a table's header line. A row without a code has the hash of its text as its key. */
const readTable = (key: (cells: string[], line: string) => string): Section => {
  let below = false;
  return {
    keys: (line) => {
      if (!line.startsWith('|')) {
        below = false;
        return [];
      }
      if (isHead(line)) below = true;
      return below && !isHead(line) ? [key(splitCells(line), line)] : [];
    },
  };
};

const readBullets = (name: string): Section => ({
  keys: (line) => (line.startsWith('- ') ? [`${name} ${hashText(line)}`] : []),
});

/** Reads the parts of a sentence that lists them after a colon, separated by semicolons. */
const readParts = (name: string, opening: string): Section => ({
  keys: (line) =>
    line.startsWith(opening)
      ? line
          .slice(opening.length)
          .replace(/\.$/, '')
          .split('; ')
          .map((part) => `${name} ${hashText(part.trim())}`)
      : [],
});

const readNumbered = (name: string): Section => {
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
    readTable((_cells, line) => `state ${hashText(line)}`),
    readBullets('lifecycle'),
    { keys: (line) => (line.startsWith('Transition into') ? [`state ${hashText(line)}`] : []) },
  ],
  'Billing and credits': () => [readParts('extras', 'Extras rules: ')],
  Authentication: () => [readNumbered('auth')],
  Events: () => [readBullets('event')],
  Errors: () => [readTable(([status]) => `status ${status}`)],
  'Per-operation codes': () => [readTable(([operation, code]) => `${operation} ${code}`)],
  'Publish refusals (`code` in the error body)': () => [
    readTable(([code]) => `publish ${code}`),
    readParts('refusal', 'Other refusals stated without a code: '),
  ],
  Limits: () => [readTable((_cells, line) => `limit ${hashText(line)}`)],
};

/** Returns every row of the interface document that a service must satisfy, in the document's order. */
export const readInterfaceRows = (document: string): InterfaceRow[] => {
  let readers: Section[] = [];
  return document.split('\n').flatMap((raw, at) => {
    const line = raw.trimEnd();
    const title = /^#+ (.*)$/.exec(line)?.[1];
    if (title !== undefined) readers = sections[title]?.() ?? [];
    return readers.flatMap(({ keys }) => keys(line).map((key) => ({ key, line: at + 1 })));
  });
};
