import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { discardFolderSync } from '../disk/changeFiles.ts';
import { writeWholeSync } from '../disk/writeWhole.ts';

const getMarkPath = (roaming: string): string => join(roaming, 'moved.txt');

/** Whether a folder in the roaming profile contains only the mark that makes earlier versions refuse to start. */
export const isRoamingMark = (roaming: string): boolean => existsSync(getMarkPath(roaming));

/**
 * Returns an empty SQLite database whose version is later than any real one: one page of 512 bytes. Built by hand,
 * because loading SQLite before the data folder is known would delay the start.
 */
export const createLaterDatabase = (): Buffer => {
  const page = Buffer.alloc(512);
  page.write('SQLite format 3\0', 'latin1');
  page.writeUInt16BE(page.length, 16);
  // The format versions and payload fractions that SQLite prescribes.
  page.set([1, 1, 0, 64, 32, 32], 18);
  // The change counter, the number of pages, the schema format, and the encoding UTF-8.
  for (const [at, value] of [
    [24, 1],
    [28, 1],
    [44, 4],
    [56, 1],
    [92, 1],
  ] as const)
    page.writeUInt32BE(value, at);
  page.writeUInt32BE(0x7fff_ffff, 60);
  // The schema: an empty leaf page, whose content area starts at the end of the page.
  page.writeUInt8(0x0d, 100);
  page.writeUInt16BE(page.length, 105);
  return page;
};

/**
 * Leaves a mark in the roaming profile. Without it, an earlier version that looks for its data there would start with
 * no data; with it, that version refuses to start because of a newer version. An unwritable folder does not stop the
 * start.
 */
export const leaveRoamingMark = (roaming: string): void => {
  const database = join(roaming, 'companion.db');
  if (existsSync(database)) return;
  try {
    mkdirSync(roaming, { recursive: true });
    writeWholeSync(
      getMarkPath(roaming),
      'The data of Listing Companion are in the folder of this name below AppData\\Local. The empty database here makes earlier versions refuse to start.\r\n',
    );
    writeWholeSync(database, createLaterDatabase());
  } catch {
    // The next start retries.
  }
};

/**
 * Removes the mark and the files that an earlier version wrote beside it. Does nothing if the folder contains real
 * data.
 */
export const removeRoamingMark = (roaming: string): void => {
  if (isRoamingMark(roaming)) discardFolderSync(roaming);
};
