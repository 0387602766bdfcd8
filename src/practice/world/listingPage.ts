import type { Listing } from '../../contract/index.ts';
import { all } from '../database.ts';
import { refuse } from '../refusal.ts';
import { listingAnswers } from './listingAnswer.ts';
import { listingRow } from './listings.ts';
import type { Person } from './people.ts';
import type { World } from './world.ts';

type ListingQuery = {
  status?: string | undefined;
  q?: string | undefined;
  limit?: number | undefined;
  cursor?: string | undefined;
  hidden?: unknown;
};

/** The number behind a cursor; without one, the newest is asked for. */
export const cursorOf = (cursor: string | undefined): number => {
  if (cursor === undefined) return Number.MAX_SAFE_INTEGER;
  return /^\d{1,15}$/.test(cursor) ? Number(cursor) : refuse(400, 'This cursor is not one that the service gave.');
};

/** A page of the person's listings, newest first. Hidden ones are left out unless `hidden=include` asks for them. */
export const listPage = (
  world: World,
  person: Person,
  { status, q, limit = 50, cursor, hidden }: ListingQuery,
): { listings: Listing[]; nextCursor: string | null } => {
  const rows = all(
    world.db,
    listingRow,
    `SELECT * FROM listings
     WHERE userId = ?1 AND seq < ?2 AND ${status === undefined ? '?3 IS NULL' : 'status = ?3'} AND (visible = 1 OR ?4 = 1)
       AND (?5 IS NULL OR instr(lower(coalesce(title, '')), lower(?5)) > 0)
     ORDER BY seq DESC LIMIT ?6`,
    person.userId,
    cursorOf(cursor),
    status ?? null,
    hidden === 'include' ? 1 : 0,
    q ?? null,
    limit + 1,
  );
  const page = rows.slice(0, limit);
  return {
    listings: listingAnswers(world, page),
    nextCursor: rows.length > limit ? String(page.at(-1)?.seq ?? 0) : null,
  };
};
