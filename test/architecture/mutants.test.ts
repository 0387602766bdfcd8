import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { decisionGuards } from '../slow/mutants/decisionGuards.ts';
import { requestGuards } from '../slow/mutants/requestGuards.ts';
import { throttleGuards } from '../slow/mutants/throttleGuards.ts';

const root = join(import.meta.dirname, '..', '..');

// Taking them out takes `npm run mutants` long; that they are there is seen at once.
describe.each([...requestGuards, ...decisionGuards, ...throttleGuards])('the guard $id', ({ file, source, tests }) => {
  test('is once where the table has it', () => {
    expect(readFileSync(join(root, file), 'utf8').split(source)).toHaveLength(2);
  });

  test('has the tests that it names', () => {
    expect(tests.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });
});
