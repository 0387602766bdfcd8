import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..', '..');
const heading = '## Promises and limits';

/** Returns the cells of each promise, without the table's header. */
const readPromises = (): string[][] => {
  const document = readFileSync(join(root, 'docs/security.md'), 'utf8');
  const [, section = ''] = document.split(`${heading}\n`);
  const [table = ''] = section.split('\n### ');
  const rows = table.split('\n').filter((line) => line.startsWith('|'));
  return rows.slice(2).map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
};

/** Returns the names between backticks in a cell. */
const listNamed = (cell: string): string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);

const isTest = (name: string): boolean => /^test\/.+\.(test|spec)\.ts$/.test(name) && existsSync(join(root, name));

test('every security promise is stated in a complete table row', () => {
  const rows = readPromises();
  expect(rows.length).toBeGreaterThan(10);
  expect(rows.filter((cells) => cells.length !== 4 || cells[1] === '').map(([promise]) => promise)).toEqual([]);
});

test.each(readPromises())('the tests for a security promise exist: %s', (_promise, _holds, _not, shownBy = '') => {
  const named = listNamed(shownBy);
  expect(named.length).toBeGreaterThan(0);
  expect(named.filter((name) => !isTest(name))).toEqual([]);
});
