import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { allGuards } from '../slow/mutants/allGuards.ts';

const root = join(import.meta.dirname, '..', '..');

test('every guard in the mutation table has a unique id', () => {
  const ids = allGuards.map(({ id }) => id);
  expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([]);
});

// `npm run mutants`, which removes each guard, takes long; these tests only check that the table is up to date.
describe.each(allGuards)('guard $id', ({ file, source, tests }) => {
  test('its code occurs exactly once in the file', () => {
    expect(readFileSync(join(root, file), 'utf8').split(source)).toHaveLength(2);
  });

  test('every test file listed for the guard exists', () => {
    expect(tests.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });
});
