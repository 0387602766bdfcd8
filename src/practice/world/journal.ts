import * as z from 'zod';
import { formatIsoTime } from '../clock.ts';
import { jsonColumn, selectAllRows, runStatement } from '../database.ts';
import type { World } from './world.ts';

type JournalKind =
  | 'draft'
  | 'photo'
  | 'generation'
  | 'written'
  | 'edit'
  | 'publish'
  | 'fee_confirmed'
  | 'revision'
  | 'end'
  | 'relist'
  | 'revert'
  | 'delete'
  | 'charge'
  | 'mail'
  | 'sale'
  | 'connected'
  | 'disconnected'
  | 'policies'
  | 'extras'
  | 'plan'
  | 'key'
  | 'contact'
  | 'joined'
  | 'account';

/** Records an effect. Call it in the transaction of the effect. */
export const recordJournalEffect = (
  { db, clock }: World,
  kind: JournalKind,
  {
    userId = null,
    listingId = null,
    ...facts
  }: { userId?: string | null; listingId?: string | null } & Record<string, unknown>,
): void => {
  runStatement(
    db,
    'INSERT INTO journal (at, kind, userId, listingId, facts) VALUES (?, ?, ?, ?, ?)',
    clock.now(),
    kind,
    userId,
    listingId,
    JSON.stringify(facts),
  );
};

const effectRow = z.object({
  seq: z.int(),
  at: z.int(),
  kind: z.string(),
  userId: z.string().nullable(),
  listingId: z.string().nullable(),
  facts: jsonColumn(z.looseObject({})),
});

export const listNewestEffects = ({ db }: World, maxEffects: number): z.infer<typeof effectRow>[] =>
  selectAllRows(db, effectRow, 'SELECT * FROM journal ORDER BY seq DESC LIMIT ?', maxEffects);

export const listEffectsSince = ({ db }: World, since: number): Record<string, unknown>[] =>
  selectAllRows(db, effectRow, 'SELECT * FROM journal WHERE seq > ? ORDER BY seq', since).map(
    ({ seq, at, kind, userId, listingId, facts }) => ({
      seq,
      at: formatIsoTime(at),
      kind,
      ...(userId === null ? {} : { userId }),
      ...(listingId === null ? {} : { listingId }),
      ...facts,
    }),
  );

const callRow = z.object({ route: z.string(), calls: z.int(), effects: z.int() });

/** Counts a call of a route. `effect` is false if the call was refused. */
export const countRouteCall = ({ db }: World, route: string, userId: string, effect: boolean): void => {
  runStatement(
    db,
    `INSERT INTO calls (route, userId, calls, effects) VALUES (?, ?, 1, ?)
     ON CONFLICT (route, userId) DO UPDATE SET calls = calls + 1, effects = effects + excluded.effects`,
    route,
    userId,
    effect ? 1 : 0,
  );
};

/** Returns the number of calls and of successful calls per route. `userId` null includes every person. */
export const readCallCounts = (
  { db }: World,
  userId: string | null,
): Record<string, { calls: number; effects: number }> =>
  Object.fromEntries(
    selectAllRows(
      db,
      callRow,
      `SELECT route, SUM(calls) AS calls, SUM(effects) AS effects FROM calls
       WHERE ?1 IS NULL OR userId = ?1 GROUP BY route ORDER BY route`,
      userId,
    ).map(({ route, calls, effects }) => [route, { calls, effects }]),
  );
