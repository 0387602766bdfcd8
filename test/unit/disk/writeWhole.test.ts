import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  discardFile,
  discardFileSync,
  replaceFile,
  removeFile,
  removeFileSync,
} from '../../../src/disk/changeFiles.ts';
import type { Disk } from '../../../src/disk/disk.ts';
import { writeWhole, writeWholeSync } from '../../../src/disk/writeWhole.ts';
import { createFailingDisk, createHeldDisk, createSystemError } from '../../helpers/createFailingDisk.ts';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'disk-'));
  path = join(folder, 'file');
  writeFileSync(path, 'old');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const writers = {
  writeWhole: (content: string, disk: Disk) => writeWhole(path, content, { disk, isSynced: true, mode: 0o600 }),
  writeWholeSync: async (content: string, disk: Disk) =>
    writeWholeSync(path, content, { disk, isSynced: true, mode: 0o600 }),
};
const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);

test.each(Object.entries(writers))('%s retries until another program releases the file', async (_name, write) => {
  for (const code of ['EBUSY', 'EPERM', 'EACCES']) {
    await write(code, createHeldDisk(3, code));
    expect(readFileSync(path, 'utf8')).toBe(code);
  }
  expect(readdirSync(folder)).toEqual(['file']);
});

test.each(Object.entries(writers))('%s gives up after two seconds and keeps the old file', async (_name, write) => {
  const disk = createFailingDisk((call) => (call === 'rename' ? createSystemError('EBUSY') : null));
  await expect(write('new', disk)).rejects.toMatchObject({ code: 'EBUSY' });
  expect(sum(disk.waitedMs)).toBe(2_000);
  expect(readFileSync(path, 'utf8')).toBe('old');
  expect(readdirSync(folder)).toEqual(['file']);
});

test('on systems other than Windows, a permission error is not retried', async () => {
  const disk = { ...createHeldDisk(1, 'EACCES'), isWindows: false };
  await expect(replaceFile(path, join(folder, 'other'), disk)).rejects.toMatchObject({ code: 'EACCES' });
  expect(disk.waitedMs).toEqual([]);
});

test('the removal of a missing file and the discard of any file never fail', async () => {
  await removeFile(join(folder, 'nothing'));
  removeFileSync(join(folder, 'nothing'));
  const broken = createFailingDisk(() => createSystemError('EIO'));
  await expect(removeFile(path, broken)).rejects.toMatchObject({ code: 'EIO' });
  await discardFile(path, broken);
  discardFileSync(path, broken);
  expect(readFileSync(path, 'utf8')).toBe('old');
});

/** The results of successive disk calls: success or an error code. */
const failures = fc.array(fc.constantFrom(null, null, null, 'EBUSY', 'EPERM', 'EACCES', 'EIO', 'ENOSPC', 'ENOENT'), {
  maxLength: 60,
});

test.each(Object.entries(writers))(
  'a failure of %s leaves the complete old file and reports its first error',
  async (_name, write) => {
    await fc.assert(
      fc.asyncProperty(failures, async (codes) => {
        writeFileSync(path, 'old');
        const turns = codes.values();
        /** The errors since the last successful step; a failed write reports the first of these. */
        let errors: Error[] = [];
        let isCleaning = false;
        const disk = createFailingDisk((call, at) => {
          const code = turns.next().value ?? null;
          isCleaning ||= call === 'unlink' && at !== path;
          const error = code === null ? null : createSystemError(code);
          if (!isCleaning && error === null) errors = [];
          if (!isCleaning && error !== null) errors.push(error);
          return error;
        });
        const thrown: unknown = await write('new', disk).then(
          () => null,
          (error: unknown) => error,
        );
        expect(readFileSync(path, 'utf8')).toBe(thrown === null ? 'new' : 'old');
        expect(thrown).toBe(thrown === null ? null : errors[0]);
      }),
      { numRuns: 300 },
    );
  },
);
