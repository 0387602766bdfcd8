import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readRealPath, readRealPathSync, correctPathCase } from '../../../src/disk/realPath.ts';

const disk = ['/home/Ada/Fotos', '/home/Ada', '/home'];
/** A case-insensitive disk with links at these paths. */
const createCaselessDisk = (...links: string[]) => ({
  realPath: (path: string): string => {
    const found = disk.find((one) => one.toLowerCase() === path.toLowerCase());
    if (found === undefined) throw new Error('ENOENT');
    return found;
  },
  isLink: (path: string) => links.includes(path),
});

test('a stored path gets the upper and lower case used on the disk', () => {
  expect(correctPathCase('/HOME/ada/FOTOS', createCaselessDisk())).toBe('/home/Ada/Fotos');
  expect(correctPathCase('/home/Ada/Fotos', createCaselessDisk())).toBe('/home/Ada/Fotos');
});

test('a stored path that contains a link or no longer exists stays unchanged', () => {
  expect(correctPathCase('/home/ada/FOTOS', createCaselessDisk('/home/ada'))).toBe('/home/ada/FOTOS');
  expect(correctPathCase('/home/ada/Gone', createCaselessDisk())).toBe('/home/ada/Gone');
});

test('the sync and async real path functions return the same path', async () => {
  const dir = readRealPathSync(mkdtempSync(join(tmpdir(), 'real-')));
  mkdirSync(join(dir, 'there'));
  symlinkSync(join(dir, 'there'), join(dir, 'link'));
  expect(readRealPathSync(join(dir, 'link'))).toBe(join(dir, 'there'));
  expect(await readRealPath(join(dir, 'link'))).toBe(join(dir, 'there'));
  rmSync(dir, { recursive: true });
});
