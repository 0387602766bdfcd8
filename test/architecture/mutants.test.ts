import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import { allGuards } from '../slow/mutants/allGuards.ts';

const root = join(import.meta.dirname, '..', '..');

test('every guard in the mutation table has a unique id', () => {
  const ids = allGuards.map(({ id }) => id);
  expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([]);
});

const readText = (path: string): string => readFileSync(join(root, path), 'utf8');

/** Returns all identifiers of a source text except the names of properties. */
const listIdentifiers = (path: string, text: string): Set<string> => {
  const names = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isPropertyAccessExpression(node)) return visit(node.expression);
    if (ts.isPropertyAssignment(node)) return visit(node.initializer);
    if (ts.isIdentifier(node)) names.add(node.text);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true));
  return names;
};

const identifiersByFile = new Map<string, Set<string>>();
/** Many guards are in one file, so each file is parsed once. */
const listKnownIdentifiers = (file: string): Set<string> => {
  const known = identifiersByFile.get(file) ?? listIdentifiers(file, readText(file));
  identifiersByFile.set(file, known);
  return known;
};

// `npm run mutants` removes the guards and takes long. These tests find broken rows at once.
describe.each(allGuards)('guard $id', ({ file, source, without, tests, only = '' }) => {
  test('the code of the guard occurs exactly once in its file', () => {
    expect(readText(file).split(source)).toHaveLength(2);
  });

  test('every test that is listed for the guard exists', () => {
    expect(tests.filter((path) => !existsSync(join(root, path)))).toEqual([]);
    const words = new Set(
      tests
        .map(readText)
        .join(' ')
        .match(/[\w-]+/g),
    );
    expect((only.match(/[\w-]+/g) ?? []).filter((word) => !words.has(word))).toEqual([]);
  });

  // A mutant that crashes would be noticed by every test and prove nothing.
  test.runIf(file.endsWith('.ts'))('the file still compiles without the guard', () => {
    const mutated = readText(file).replace(source, () => without);
    const { diagnostics } = ts.transpileModule(mutated, { reportDiagnostics: true });
    expect(diagnostics?.map(({ messageText }) => messageText)).toEqual([]);
    const known = listKnownIdentifiers(file);
    const unknown = [...listIdentifiers(file, mutated)].filter((name) => !known.has(name));
    expect(unknown.filter((name) => !['undefined', 'ReturnType'].includes(name))).toEqual([]);
  });
});
