import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { isAbsolute, normalize, posix, relative } from 'node:path';
import { inRoot, root } from './root.mjs';

const withSlashes = (path) => path.replaceAll('\\', '/');

/**
 * All files of tests, the browser's as well, by their paths from the project's folder.
 * @returns {string[]}
 */
export const testFiles = () =>
  readdirSync(inRoot('test'), { recursive: true, encoding: 'utf8' })
    .map((name) => `test/${withSlashes(name)}`)
    .filter((path) => /\.(test|spec)\.ts$/.test(path));

/** @param {string} path from the project's folder */
export const textOf = (path) => readFileSync(inRoot(path), 'utf8');

/** A part of a path, as both runners take it; a line may follow. */
const asPart = (arg) => withSlashes(isAbsolute(arg) ? relative(root, arg) : normalize(arg)).replace(/:\d+$/, '');

const isE2e = (arg) => withSlashes(arg).includes('test/e2e');

/**
 * The arguments of each runner; null for one that has nothing to run. Flags go to the one whose tests are named, and to
 * vitest where tests of both are.
 * @param {readonly string[]} args
 */
export const argsOfRunners = (args) => {
  const names = args.filter((arg) => !arg.startsWith('-'));
  // What follows a flag is a name of a test, and no path.
  const isOther = (arg) => !isE2e(arg) && asPart(arg).startsWith('test/');
  if (!names.some(isE2e)) return { vitest: args, playwright: args.length === 0 ? [] : null };
  if (!names.some(isOther)) return { vitest: null, playwright: args };
  return { vitest: args.filter((arg) => !isE2e(arg)), playwright: args.filter(isE2e) };
};

/** The flags whose next argument is a title of a test. */
const titleFlags = ['-t', '--testNamePattern', '-g', '--grep'];

/** The files that the arguments name, or all files of the runners that get them. */
const findNamedFiles = (args) => {
  const { vitest, playwright } = argsOfRunners(args);
  const files = testFiles().filter((path) => (isE2e(path) ? playwright : vitest) !== null);
  const parts = args.filter((arg, at) => !arg.startsWith('-') && !titleFlags.includes(args[at - 1])).map(asPart);
  const named = files.filter((path) => parts.some((part) => path.includes(part)));
  return named.length > 0 ? named : files;
};

/** The files of `test/` that a file imports. */
const importsOf = (file) =>
  [...textOf(file).matchAll(/\b(?:from|import) ?\(?'(\.[^']+\.ts)'/g)]
    .map(([, path = '']) => posix.join(posix.dirname(file), path))
    .filter((path) => path.startsWith('test/') && existsSync(inRoot(path)));

/**
 * Finds the tests that the arguments name, or all where they name none, and every file of `test/` that these import.
 * @param {readonly string[]} args
 * @returns {string[]}
 */
export const findUsedFiles = (args) => {
  const used = new Set(findNamedFiles(args));
  // A set also hands out what is added to it on the way.
  for (const file of used) for (const path of importsOf(file)) used.add(path);
  return [...used];
};
