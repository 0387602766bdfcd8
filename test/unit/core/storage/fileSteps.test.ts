import { fstatSync, readFileSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { syncFolder, writeFileWhole } from '../../../../src/core/storage/fileSteps.ts';

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'steps-'));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

/** A system that answers this when a folder is to be put on disk; tells which handle it was asked with. */
const answering = (code: string) => {
  let handle = -1;
  const sync = (opened: number): void => {
    handle = opened;
    throw Object.assign(new Error(code), { code });
  };
  return { sync, isOpen: () => fstatSync(handle) };
};

test('where the system cannot put a folder on disk, as Windows, nothing fails and no handle stays open', () => {
  const { sync, isOpen } = answering('EPERM');
  syncFolder(dir, sync);
  expect(isOpen).toThrow('EBADF');
});

test('a disk that fails says so, and no handle stays open', () => {
  const { sync, isOpen } = answering('EIO');
  expect(() => syncFolder(dir, sync)).toThrow('EIO');
  expect(isOpen).toThrow('EBADF');
});

test('a file that is written whole leaves nothing beside it', async () => {
  writeFileWhole(join(dir, 'wish.json'), 'one');
  writeFileWhole(join(dir, 'wish.json'), 'two');
  expect(readFileSync(join(dir, 'wish.json'), 'utf8')).toBe('two');
  expect(await readdir(dir)).toEqual(['wish.json']);
});
