import { copyFile, link, mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { readFile } from 'node:fs/promises';
import { stemOf } from '../core/photos/byName.ts';

/** File systems allow names of 255 bytes; this leaves room for a number and the ending. */
const stemBytes = 235;

const shortened = (stem: string): string => {
  let short = stem;
  while (Buffer.byteLength(short) > stemBytes) short = [...short].slice(0, -1).join('');
  return short;
};

/** Puts a file at a place where there is none yet. Throws EEXIST otherwise. */
const putNew = async (from: string, to: string): Promise<void> => {
  try {
    await link(from, to);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') throw error;
    // Some disks (memory sticks, network folders) know no links.
    const { COPYFILE_EXCL } = (await import('node:fs')).constants;
    await copyFile(from, to, COPYFILE_EXCL);
  }
};

const isSame = async (one: string, other: string): Promise<boolean> => {
  const [a, b] = await Promise.all([one, other].map((path) => readFile(path).catch(() => null)));
  return a !== null && b !== null && a !== undefined && b !== undefined && a.equals(b);
};

/**
 * Gives a prepared file its place: like the original inside its folder, with the ending of its format. Nothing is ever
 * overwritten: when another file has the name, a number is added; when it has the same bytes, as after an earlier run,
 * it is taken as it is. Answers the place.
 */
export const placeOutput = async (
  prepared: string,
  outDir: string,
  inside: string,
  ending: string,
  taken: Set<string>,
): Promise<string> => {
  const folder = join(outDir, dirname(inside));
  await mkdir(folder, { recursive: true });
  const stem = shortened(stemOf(inside.slice(dirname(inside) === '.' ? 0 : dirname(inside).length + 1)));
  for (let number = 1; ; number += 1) {
    const to = join(folder, `${stem}${number === 1 ? '' : ` (${number})`}.${ending}`);
    if (taken.has(to)) continue;
    try {
      await putNew(prepared, to);
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
      if (!(await isSame(prepared, to))) continue;
    }
    taken.add(to);
    return to;
  }
};
