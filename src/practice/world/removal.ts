import * as z from 'zod';
import { all, atomically, count, one, run } from '../database.ts';
import { removeFiles } from './listings/photos.ts';
import { findPersonByEmail } from './people.ts';
import type { World } from './world.ts';

const tableRow = z.object({ name: z.string() });
const fileRow = z.object({ file: z.string() });

/** Every table with something of a person, those that are kept by nobody else's rows first. */
const tablesOfPeople = ({ db }: World): string[] =>
  all(
    db,
    tableRow,
    `SELECT tables.name FROM sqlite_master AS tables, pragma_table_info(tables.name) AS columns
     WHERE tables.type = 'table' AND columns.name = 'userId' ORDER BY tables.name = 'people', tables.name`,
  ).map(({ name }) => name);

/**
 * Forgets a person with everything of theirs, as if they had never been. Not while one of their listings is being written:
 * then nothing happens, and the answer is false. The rows go together; files that are left after an end in the middle have no
 * row any more, and go at the next start.
 */
export const removePerson = async (world: World, email: string): Promise<boolean> => {
  const person = findPersonByEmail(world, email);
  if (!person) return true;
  const { userId } = person;
  const inWork = "SELECT COUNT(*) AS n FROM listings WHERE userId = ? AND status = 'processing'";
  if ((one(world.db, count, inWork, userId)?.n ?? 0) > 0) return false;
  const ofListings = 'SELECT file FROM photos WHERE listingId IN (SELECT listingId FROM listings WHERE userId = ?)';
  const files = all(world.db, fileRow, ofListings, userId).map(({ file }) => file);
  atomically(world.db, () => {
    for (const table of tablesOfPeople(world)) run(world.db, `DELETE FROM ${table} WHERE userId = ?`, userId);
    run(world.db, 'DELETE FROM mails WHERE sentTo = ?', person.email);
    run(world.db, 'DELETE FROM challenges WHERE email = ?', person.email);
  });
  await removeFiles(world, files);
  return true;
};
