import { isBuilt } from './build.mjs';
import { codeFile } from './codeFile.mjs';
import { nodePath, runProgram } from './runNode.mjs';

/**
 * Runs the command line, with paths as they are meant from the given folder.
 * @param {readonly string[]} args
 * @param {string} [cwd]
 * @returns {Promise<number>}
 */
export const runCli = (args, cwd = process.cwd()) =>
  runProgram(nodePath(), [codeFile('cli', { isBuilt: isBuilt() }), ...args], { cwd, env: { INIT_CWD: cwd } });
