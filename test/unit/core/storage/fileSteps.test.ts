import { fstatSync, readFileSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { renameFileDurably, syncFolderToDisk, writeFileAtomically } from '../../../../src/core/storage/fileSteps.ts';
import { systemDisk } from '../../../../src/disk/disk.ts';
import { createFailingDisk, createHeldDisk, createSystemError } from '../../../helpers/createFailingDisk.ts';

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'steps-'));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

/** A disk on which a folder sync fails with `code`. `isOpen` throws if the handle of the folder is closed. */
const createDiskFailingSync = (code: string) => {
  let handle = -1;
  const fsyncSync = (opened: number): void => {
    handle = opened;
    throw createSystemError(code);
  };
  return { disk: { ...systemDisk, isWindows: false, fsyncSync }, isOpen: () => fstatSync(handle) };
};

test('an unsupported folder sync causes no error and closes the folder', () => {
  const { disk, isOpen } = createDiskFailingSync('EPERM');
  syncFolderToDisk(dir, disk);
  expect(isOpen).toThrow('EBADF');
});

test('a failed folder sync throws the error and closes the folder', () => {
  const { disk, isOpen } = createDiskFailingSync('EIO');
  expect(() => syncFolderToDisk(dir, disk)).toThrow('EIO');
  expect(isOpen).toThrow('EBADF');
});

test('an atomic write leaves no temporary file', async () => {
  writeFileAtomically(join(dir, 'wish.json'), 'one');
  writeFileAtomically(join(dir, 'wish.json'), 'two');
  expect(readFileSync(join(dir, 'wish.json'), 'utf8')).toBe('two');
  expect(await readdir(dir)).toEqual(['wish.json']);
});

test('a failed atomic write keeps the old file and leaves no temporary file', async () => {
  writeFileAtomically(join(dir, 'wish.json'), 'one');
  const disk = createFailingDisk((call) => (call === 'rename' ? createSystemError('EIO') : null));
  expect(() => writeFileAtomically(join(dir, 'wish.json'), 'two', disk)).toThrow('EIO');
  expect(readFileSync(join(dir, 'wish.json'), 'utf8')).toBe('one');
  expect(await readdir(dir)).toEqual(['wish.json']);
});

test('a file is written and renamed after another program has released it', () => {
  writeFileAtomically(join(dir, 'wish.json'), 'one', createHeldDisk(6));
  renameFileDurably(join(dir, 'wish.json'), join(dir, 'other.json'), createHeldDisk(6));
  expect(readFileSync(join(dir, 'other.json'), 'utf8')).toBe('one');
});
