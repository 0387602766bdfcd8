import * as z from 'zod';
import { isoOf } from '../clock.ts';
import { count } from '../columns.ts';
import { all, one, run } from '../database.ts';
import { newId } from '../ids.ts';
import { refuse } from '../refusal.ts';
import type { Person } from './people.ts';
import type { World } from './world.ts';

type NoticeKind = 'sale' | 'published' | 'listing_ready' | 'listing_failed' | 'account';

/** Tells a person something inside the app. */
export const notify = (
  world: World,
  userId: string,
  kind: NoticeKind,
  text: string,
  listingId: string | null = null,
): void => {
  run(
    world.db,
    'INSERT INTO notifications (notifId, userId, kind, text, listingId, createdAt) VALUES (?, ?, ?, ?, ?, ?)',
    newId('ntf'),
    userId,
    kind,
    text,
    listingId,
    world.clock.now(),
  );
};

const noticeRow = z.object({
  seq: z.int(),
  notifId: z.string(),
  userId: z.string(),
  kind: z.string(),
  text: z.string(),
  listingId: z.string().nullable(),
  readAt: z.int().nullable(),
  viewedAt: z.int().nullable(),
  createdAt: z.int(),
});
type NoticeRow = z.infer<typeof noticeRow>;

const answer = ({ notifId, kind, text, listingId, readAt, viewedAt, createdAt }: NoticeRow) => ({
  notifId,
  kind,
  text,
  listingId,
  read: readAt !== null,
  viewed: viewedAt !== null,
  createdAt: isoOf(createdAt),
});

/** A page of notifications, newest first. */
export const noticesOf = (world: World, person: Person, limit: number, before: number) => {
  const rows = all(
    world.db,
    noticeRow,
    'SELECT * FROM notifications WHERE userId = ? AND seq < ? ORDER BY seq DESC LIMIT ?',
    person.userId,
    before,
    limit + 1,
  );
  const page = rows.slice(0, limit);
  return {
    notifications: page.map(answer),
    unread:
      one(world.db, count, 'SELECT COUNT(*) AS n FROM notifications WHERE userId = ? AND readAt IS NULL', person.userId)
        ?.n ?? 0,
    nextCursor: rows.length > limit ? String(page.at(-1)?.seq ?? 0) : null,
  };
};

/** Marks one notification as read. */
export const markRead = (world: World, person: Person, notifId: string) => {
  const found = one(world.db, noticeRow, 'SELECT * FROM notifications WHERE notifId = ?', notifId);
  if (!found) return refuse(404, 'There is no notification with this id.');
  if (found.userId !== person.userId) return refuse(403, 'This notification belongs to somebody else.');
  run(
    world.db,
    'UPDATE notifications SET readAt = COALESCE(readAt, ?1), viewedAt = COALESCE(viewedAt, ?1) WHERE notifId = ?2',
    world.clock.now(),
    notifId,
  );
  return answer({ ...found, readAt: found.readAt ?? world.clock.now(), viewedAt: found.viewedAt ?? world.clock.now() });
};

/** Marks all notifications as seen and says how many were new. */
export const markViewed = (world: World, person: Person): number =>
  run(
    world.db,
    'UPDATE notifications SET viewedAt = ? WHERE userId = ? AND viewedAt IS NULL',
    world.clock.now(),
    person.userId,
  );
