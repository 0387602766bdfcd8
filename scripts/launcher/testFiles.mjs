import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { isAbsolute, normalize, posix, relative } from 'node:path';
import { inRoot, root } from './root.mjs';

const withSlashes = (path) => path.replaceAll('\\', '/');

/**
 * Lists all test files and specs as paths relative to the project.
 * @returns {string[]}
 */
export const testFiles = () =>
  readdirSync(inRoot('test'), { recursive: true, encoding: 'utf8' })
    .map((name) => `test/${withSlashes(name)}`)
    .filter((path) => /\.(test|spec)\.ts$/.test(path));

/** @param {string} path from the project's folder */
const textOf = (path) => readFileSync(inRoot(path), 'utf8');

/** Returns the path part that both runners match. Removes a line number. */
const asPart = (arg) => withSlashes(isAbsolute(arg) ? relative(root, arg) : normalize(arg)).replace(/:\d+$/, '');

const isE2e = (arg) => withSlashes(arg).includes('test/e2e');

/**
 * Splits the arguments by runner; null for a runner without tests. If the arguments name tests of both runners, vitest gets
 * the flags.
 * @param {readonly string[]} args
 */
export const argsOfRunners = (args) => {
  const names = args.filter((arg) => !arg.startsWith('-'));
  // The argument after a flag is a test title, so only arguments below `test/` are paths.
  const isOther = (arg) => !isE2e(arg) && asPart(arg).startsWith('test/');
  if (!names.some(isE2e)) return { vitest: args, playwright: args.length === 0 ? [] : null };
  if (!names.some(isOther)) return { vitest: null, playwright: args };
  return { vitest: args.filter((arg) => !isE2e(arg)), playwright: args.filter(isE2e) };
};

const titleFlags = ['-t', '--testNamePattern', '-g', '--grep'];

const findNamedFiles = (args) => {
  const { vitest, playwright } = argsOfRunners(args);
  const files = testFiles().filter((path) => (isE2e(path) ? playwright : vitest) !== null);
  const parts = args.filter((arg, at) => !arg.startsWith('-') && !titleFlags.includes(args[at - 1])).map(asPart);
  const named = files.filter((path) => parts.some((part) => path.includes(part)));
  return named.length > 0 ? named : files;
};

const importsOf = (file) =>
  [...textOf(file).matchAll(/\b(?:from|import) ?\(?'(\.[^']+\.ts)'/g)]
    .map(([, path = '']) => posix.join(posix.dirname(file), path))
    .filter((path) => path.startsWith('test/') && existsSync(inRoot(path)));

/**
 * Lists the tests that the arguments name (all tests without names), and every file of `test/` that these tests import.
 * @param {readonly string[]} args
 * @returns {string[]}
 */
export const findUsedFiles = (args) => {
  const used = new Set(findNamedFiles(args));
  // The iteration of a set includes items that are added during the iteration.
  for (const file of used) for (const path of importsOf(file)) used.add(path);
  return [...used];
};

/**
 * Lists the tests of `npm run test:all`: those that compare with the programs of others or run large matrices, and those
 * that `npm test` runs only as samples.
 * @returns {string[]}
 */
export const wholeRunFiles = () =>
  testFiles()
    .filter((path) => path.endsWith('.test.ts'))
    .filter((path) => path.startsWith('test/slow/') || findUsedFiles([path]).includes('test/helpers/sample.ts'));
