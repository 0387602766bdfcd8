import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** Makes a folder and those above it. Node's own recursive way never returns in places that take no folders, as /proc. */
export const makeFolder = (path: string): void => {
  if (existsSync(path)) {
    if (!statSync(path).isDirectory()) throw Object.assign(new Error(`${path} is no folder.`), { code: 'ENOTDIR' });
    return;
  }
  if (dirname(path) !== path) makeFolder(dirname(path));
  mkdirSync(path);
};
