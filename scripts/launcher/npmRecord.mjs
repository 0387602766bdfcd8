import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const packagesOf = (path) => JSON.parse(readFileSync(path, 'utf8')).packages ?? {};

/** Like npm: a list names the allowed systems, or excludes systems with "!". */
const allows = (list, name) => {
  const names = [list ?? []].flat();
  const isOfOthers = names.every((one) => one.startsWith('!'));
  return isOfOthers ? !names.includes(`!${name}`) : names.includes(name);
};

/** Returns whether npm can have omitted an optional package on this system. */
const mayBeMissing = ({ optional, os, cpu, libc }) => {
  const isForHere = allows(os, process.platform) && allows(cpu, process.arch);
  return optional === true && (!isForHere || libc !== undefined || (os === undefined && cpu === undefined));
};

/**
 * Returns whether npm's record shows that a folder contains all packages of its lock file. Additional packages are allowed.
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
