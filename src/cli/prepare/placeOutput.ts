import { constants } from 'node:fs';
import { copyFile, link, mkdir, readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { stemOf } from '../../core/photos/groupFiles.ts';

/** File systems allow names of 255 bytes; this leaves room for a number and the ending. */
const stemBytes = 235;

const shortened = (stem: string): string => {
  let short = stem;
  while (Buffer.byteLength(short) > stemBytes) short = [...short].slice(0, -1).join('');
  return short;
};

const isTaken = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'EEXIST';

/** Puts a file at a place where there is none yet, whole or not at all. Throws EEXIST otherwise. */
const putNew = async (from: string, to: string): Promise<void> => {
  try {
    await link(from, to);
  } catch (error) {
    if (isTaken(error)) throw error;
    // Memory sticks and some network folders know no links.
    await copyFile(from, to, constants.COPYFILE_EXCL);
  }
};

const isSame = async (one: string, other: string): Promise<boolean> => {
  const [a, b] = await Promise.all([readFile(one), readFile(other).catch(() => null)]);
  return b !== null && a.equals(b);
};

/**
 * Puts a prepared file at its place and answers that. `inside` is the original's path in its folder, `ending` that of the
 * format. Throws the error of the system where the folder takes no file.
 */
export type PlaceOutput = (prepared: string, inside: string, ending: string) => Promise<string>;

/**
 * Gives prepared files their places in a folder: like their originals, with the ending of their format. Nothing is ever
 * overwritten: where another file has the name, a number is added; a file with the same bytes, as an earlier run left
 * it, is taken as it is.
 */
export const createOutputs = (outDir: string): PlaceOutput => {
  let folder = '';
  let taken = new Set<string>();
  return async (prepared, inside, ending) => {
    const here = join(outDir, dirname(inside));
    if (here !== folder) taken = new Set();
    folder = here;
    await mkdir(folder, { recursive: true });
    const stem = shortened(stemOf(basename(inside)));
    for (let number = 1; ; number += 1) {
      const to = join(folder, `${stem}${number === 1 ? '' : ` (${number})`}.${ending}`);
      if (taken.has(to)) continue;
      const put = await putNew(prepared, to).then(
        () => true,
        (error: unknown) => {
          if (isTaken(error)) return false;
          throw error;
        },
      );
      if (!put && !(await isSame(prepared, to))) continue;
      taken.add(to);
      return to;
    }
  };
};
