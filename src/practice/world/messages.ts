import * as z from 'zod';
import { isoOf } from '../clock.ts';
import { all, run, count, one } from '../database.ts';
import { recordEffect } from './journal.ts';
import type { World } from './world.ts';
import { newId } from '../ids.ts';
import { refuse } from '../refusal.ts';
import type { Person } from './people.ts';

type Mail = { to: string; subject: string; text: string; code?: string };

/** Stores a mail where the practice controls can read it. While the mail service is down, the mail is lost. */
export const sendMail = (world: World, userId: string | null, mail: Mail): void => {
  if (world.disruptions.mailDown) return;
  run(
    world.db,
    'INSERT INTO mails (sentTo, subject, text, code, at) VALUES (?, ?, ?, ?, ?)',
    mail.to,
    mail.subject,
    mail.text,
    mail.code ?? null,
    world.clock.now(),
  );
  recordEffect(world, 'mail', { userId, to: mail.to, subject: mail.subject });
};

const mailRow = z.object({
  sentTo: z.string(),
  subject: z.string(),
  text: z.string(),
  code: z.string().nullable(),
  at: z.int(),
});

/** Returns the mails to one address, or to all addresses, newest first. */
export const mailsTo = ({ db }: World, email: string | null): (Mail & { at: string })[] =>
  all(db, mailRow, 'SELECT * FROM mails WHERE ?1 IS NULL OR sentTo = ?1 ORDER BY seq DESC LIMIT 500', email).map(
    ({ sentTo, subject, text, code, at }) => ({
      to: sentTo,
      subject,
      text,
      ...(code === null ? {} : { code }),
      at: isoOf(at),
    }),
  );

type NotificationKind = 'sale' | 'published' | 'listing_ready' | 'listing_failed' | 'unsold' | 'account';

/** Creates a notification inside the service's app. */
export const notify = (
  world: World,
  userId: string,
  { kind, text, listingId = null }: { kind: NotificationKind; text: string; listingId?: string | null },
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

const notificationRow = z.object({
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
type NotificationRow = z.infer<typeof notificationRow>;

const soldFor = z.object({ amountMinor: z.int(), currency: z.string() });
/** The maximum time between a sale and its notification. */
const togetherMs = 1_000;

/** Reads the amount of the sale that a notification is about. */
const amountOf = (world: World, { kind, listingId, createdAt }: NotificationRow) =>
  kind !== 'sale'
    ? null
    : one(
        world.db,
        soldFor,
        `SELECT quantity * unitCents AS amountMinor, currency FROM sales
         WHERE listingId = ? AND at BETWEEN ? AND ? ORDER BY at DESC LIMIT 1`,
        listingId,
        createdAt - togetherMs,
        createdAt,
      );

const toApiNotification = (world: World, row: NotificationRow) => ({
  ...plainNotification(row),
  ...amountOf(world, row),
});

const plainNotification = ({ notifId, kind, text, listingId, readAt, viewedAt, createdAt }: NotificationRow) => ({
  notifId,
  kind,
  text,
  listingId,
  read: readAt !== null,
  viewed: viewedAt !== null,
  createdAt: isoOf(createdAt),
});

/** Returns one page of notifications, newest first. */
export const listNotifications = (world: World, person: Person, limit: number, before: number) => {
  const rows = all(
    world.db,
    notificationRow,
    'SELECT * FROM notifications WHERE userId = ? AND seq < ? ORDER BY seq DESC LIMIT ?',
    person.userId,
    before,
    limit + 1,
  );
  const page = rows.slice(0, limit);
  return {
    notifications: page.map((row) => toApiNotification(world, row)),
    unread:
      one(world.db, count, 'SELECT COUNT(*) AS n FROM notifications WHERE userId = ? AND readAt IS NULL', person.userId)
        ?.n ?? 0,
    nextCursor: rows.length > limit ? String(page.at(-1)?.seq ?? 0) : null,
  };
};

export const markRead = (world: World, person: Person, notifId: string) => {
  const found = one(world.db, notificationRow, 'SELECT * FROM notifications WHERE notifId = ?', notifId);
  if (!found) return refuse(404, 'There is no notification with this id.');
  if (found.userId !== person.userId) return refuse(403, 'This notification belongs to somebody else.');
  run(
    world.db,
    'UPDATE notifications SET readAt = COALESCE(readAt, ?1), viewedAt = COALESCE(viewedAt, ?1) WHERE notifId = ?2',
    world.clock.now(),
    notifId,
  );
  return toApiNotification(world, {
    ...found,
    readAt: found.readAt ?? world.clock.now(),
    viewedAt: found.viewedAt ?? world.clock.now(),
  });
};

/** Marks all notifications as viewed and returns how many were new. */
export const markViewed = (world: World, person: Person): number =>
  run(
    world.db,
    'UPDATE notifications SET viewedAt = ? WHERE userId = ? AND viewedAt IS NULL',
    world.clock.now(),
    person.userId,
  );
