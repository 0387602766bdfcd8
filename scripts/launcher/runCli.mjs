import { inRoot } from './root.mjs';
import { nodePath, runProgram } from './runNode.mjs';

/**
 * Runs the command line with Node 24, with paths as they are meant from the given folder.
 * @param {readonly string[]} args
 * @param {string} [cwd]
 * @returns {Promise<number>}
 */
export const runCli = (args, cwd = process.cwd()) =>
  runProgram(nodePath(), [inRoot('src', 'cli', 'index.ts'), ...args], { cwd, env: { INIT_CWD: cwd } });
