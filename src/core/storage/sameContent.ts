import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

/** The journal mode, the change counter and the version of SQLite differ between a database and its copy. */
const ownHeaderBytes = [
  [18, 20],
  [24, 28],
  [92, 100],
] as const;

const partBytes = 4 * 2 ** 20;

const readPart = (file: number, part: Buffer, at: number): Buffer => {
  const read = part.subarray(0, readSync(file, part, 0, part.length, at));
  if (at === 0) for (const [start, end] of ownHeaderBytes) read.fill(0, start, end);
  return read;
};

const areFilesEqual = (one: number, other: number): boolean => {
  const { size } = fstatSync(one);
  if (fstatSync(other).size !== size) return false;
  const parts = [Buffer.alloc(partBytes), Buffer.alloc(partBytes)] as const;
  for (let at = 0; at < size; at += partBytes)
    if (!readPart(one, parts[0], at).equals(readPart(other, parts[1], at))) return false;
  return true;
};

/** Returns whether two database files without logs contain the same data in the same pages. */
export const hasSameContent = (one: string, other: string): boolean => {
  const first = openSync(one, 'r');
  try {
    const second = openSync(other, 'r');
    try {
      return areFilesEqual(first, second);
    } finally {
      closeSync(second);
    }
  } finally {
    closeSync(first);
  }
};
