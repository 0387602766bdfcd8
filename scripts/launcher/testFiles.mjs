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
