import { readdirSync, readFileSync } from 'node:fs';
import { inRoot } from './root.mjs';

/**
 * All files of tests, the browser's as well, by their paths from the project's folder.
 * @returns {string[]}
 */
export const testFiles = () =>
  readdirSync(inRoot('test'), { recursive: true, encoding: 'utf8' })
    .map((name) => `test/${name.replaceAll('\\', '/')}`)
    .filter((path) => /\.(test|spec)\.ts$/.test(path));

/** @param {string} path from the project's folder */
export const textOf = (path) => readFileSync(inRoot(path), 'utf8');
