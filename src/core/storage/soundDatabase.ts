import * as z from 'zod';
import { isDatabaseDamage, openDatabaseForReading, textValues, type Db } from './database.ts';
import type { TaskProgress } from './startStages.ts';

/** The tables that store data in the file. The name `sqlite_schema` includes the list of free pages. */
const storedTablesSql = `select name from sqlite_schema where type = 'table' and rootpage > 0
  union all select 'sqlite_schema'`;

const treesSql = 'select name from sqlite_schema where rootpage > 0 and tbl_name = ?';
const firstPages = z.array(z.object({ pagetype: z.string(), ncell: z.int() }));

/** Estimates the pages of a table and its indexes from the first pages of their trees. */
const estimatePages = (db: Db, table: string): number => {
  const readPages = db.prepare('select pagetype, ncell from dbstat where name = ? limit 2');
  return textValues.parse(db.prepare(treesSql).pluck().all(table)).reduce((sum, tree) => {
    const inner = firstPages.parse(readPages.all(tree)).filter(({ pagetype }) => pagetype === 'internal');
    return sum + inner.reduce((pages, { ncell }) => pages * (ncell + 1), 1);
  }, 0);
};

const areTablesSound = (db: Db, onProgress: (progress: TaskProgress) => void): boolean => {
  const check = db.prepare('select quick_check from pragma_quick_check(?)').pluck();
  const tables = textValues
    .parse(db.prepare(storedTablesSql).pluck().all())
    .map((name) => ({ name, pages: estimatePages(db, name) }));
  const total = tables.reduce((sum, { pages }) => sum + pages, 0);
  let done = 0;
  return tables.every(({ name, pages }) => {
    onProgress({ done, total });
    done += pages;
    return check.all(name).every((found) => found === 'ok');
  });
};

/**
 * Checks table by table, which leaves out the comparison of the full-text indexes with their words. It would take longer
 * than everything else, and their pages are checked as tables.
 */
export const isSoundDatabase = (
  file: string,
  onProgress: (progress: TaskProgress) => void = () => undefined,
): boolean => {
  try {
    const db = openDatabaseForReading(file);
    try {
      return areTablesSound(db, onProgress);
    } finally {
      db.close();
    }
  } catch (error) {
    if (isDatabaseDamage(error)) return false;
    throw error;
  }
};
