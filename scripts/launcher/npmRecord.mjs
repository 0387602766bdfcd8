import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const packagesOf = (path) => JSON.parse(readFileSync(path, 'utf8')).packages ?? {};

/** As npm reads a list of systems, or a single one: those that it names, or all but those with a "!". */
const allows = (list, name) => {
  const names = [list ?? []].flat();
  const isOfOthers = names.every((one) => one.startsWith('!'));
  return isOfOthers ? !names.includes(`!${name}`) : names.includes(name);
};

/** Whether npm may have left a package out here. Of those that name no system, or a C library, only npm knows. */
const mayBeMissing = ({ optional, os, cpu, libc }) => {
  const isForHere = allows(os, process.platform) && allows(cpu, process.arch);
  return optional === true && (!isForHere || libc !== undefined || (os === undefined && cpu === undefined));
};

/**
 * Whether npm's own record says that a folder has what its lock file names: somebody has run `npm ci` there, and may have
 * added to it since.
 * @param {string} folder
 */
export const npmHasInstalled = (folder) => {
  const record = join(folder, 'node_modules', '.package-lock.json');
  if (!existsSync(record)) return false;
  const there = packagesOf(record);
  return Object.entries(packagesOf(join(folder, 'package-lock.json')))
    .filter(([path]) => path !== '')
    .every(([path, wanted]) => {
      const found = there[path];
      if (found === undefined) return mayBeMissing(wanted);
      return found.version === wanted.version && found.integrity === wanted.integrity;
    });
};
