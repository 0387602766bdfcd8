import { readdirSync, readFileSync } from 'node:fs';
import { isAbsolute, normalize, relative } from 'node:path';
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

/**
 * Whether the tests that the arguments name, or all where they name none, run a program of `tools/`.
 * @param {readonly string[]} args
 */
export const useTools = (args) => {
  const files = testFiles();
  const parts = args.filter((arg) => !arg.startsWith('-')).map(asPart);
  const named = files.filter((path) => parts.some((part) => path.includes(part)));
  return (named.length > 0 ? named : files).some((path) => /^import .*\/toolPath\.ts'/m.test(textOf(path)));
};
