import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { discardTreeSync } from '../../disk/changeFiles.ts';
import { writeWholeSync } from '../../disk/writeWhole.ts';

const getMarkPath = (roaming: string): string => join(roaming, 'moved.txt');

/** A folder with the mark contains no data of the person. The mark makes earlier versions refuse to start. */
export const hasRoamingMark = (roaming: string): boolean => existsSync(getMarkPath(roaming));

/**
 * No earlier version of the companion opens this database. The bytes are written by hand, because SQLite loads slowly.
 */
export const createNewerVersionDatabase = (): Buffer => {
  const page = Buffer.alloc(512);
  page.write('SQLite format 3\0', 'latin1');
  page.writeUInt16BE(page.length, 16);
  // SQLite prescribes these format versions and payload fractions.
  page.set([1, 1, 0, 64, 32, 32], 18);
  // The change counter, the page count, the schema format, the encoding UTF-8, and the "version-valid-for" number.
  for (const [at, value] of [
    [24, 1],
    [28, 1],
    [44, 4],
    [56, 1],
    [92, 1],
  ] as const)
    page.writeUInt32BE(value, at);
  page.writeUInt32BE(0x7fff_ffff, 60);
  // The schema is an empty leaf page. Its content area starts where the page ends.
  page.writeUInt8(0x0d, 100);
  page.writeUInt16BE(page.length, 105);
  return page;
};

/**
 * Writes a mark and a database that makes an earlier version refuse to start. Otherwise the earlier version would start
 * with no data.
 */
export const writeRoamingMark = (roaming: string): void => {
  const database = join(roaming, 'companion.db');
  if (existsSync(database)) return;
  try {
    mkdirSync(roaming, { recursive: true });
    writeWholeSync(
      getMarkPath(roaming),
      'The data of Listing Companion are in the folder of this name below AppData\\Local. The empty database here makes earlier versions refuse to start.\r\n',
    );
    writeWholeSync(database, createNewerVersionDatabase());
  } catch {
    // Ignore the error, because the next start tries to write the mark again.
  }
};

/** Also removes files that an earlier version wrote next to the mark. Does nothing if the folder contains real data. */
export const removeRoamingMark = (roaming: string): void => {
  if (hasRoamingMark(roaming)) discardTreeSync(roaming);
};
