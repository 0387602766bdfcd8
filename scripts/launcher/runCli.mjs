import { realpathSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { isBuilt } from './build.mjs';
import { codeFile } from './codeFile.mjs';
import { nodePath, runProgram } from './runNode.mjs';

const runHere = async (file, args, cwd) => {
  process.chdir(cwd);
  process.env['INIT_CWD'] = cwd;
  process.argv = [process.execPath, file, ...args];
  await import(pathToFileURL(file).href);
  return Number(process.exitCode ?? 0);
};

/**
 * Runs the command line with paths relative to `cwd`. It runs in this process if the Node version fits, because another
 * process would take as long to start as some commands take.
 * @param {readonly string[]} args
 * @param {string} [cwd]
 * @returns {Promise<number>}
 */
export const runCli = async (args, cwd = process.cwd()) => {
  const [node, file] = [nodePath(), codeFile('cli', { isBuilt: isBuilt() })];
  return realpathSync(node) === realpathSync(process.execPath)
    ? runHere(file, args, cwd)
    : runProgram(node, [file, ...args], { cwd, env: { INIT_CWD: cwd } });
};
