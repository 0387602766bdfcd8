import * as z from 'zod';
import { formatIsoTime } from '../clock.ts';
import { selectAllRows, runStatement, countRow, selectFirstRow } from '../database.ts';
import { recordJournalEffect } from './journal.ts';
import type { World } from './world.ts';
import { createPrefixedId } from '../ids.ts';
import { refuseCall } from '../refusal.ts';
import type { Person } from './people.ts';

type Mail = { to: string; subject: string; text: string; code?: string };

/** Stores a mail for the practice controls. While the mail service is down, the mail is lost. */
export const sendPracticeMail = (world: World, userId: string | null, mail: Mail): void => {
  if (world.disruptions.mailDown) return;
  runStatement(
    world.db,
    'INSERT INTO mails (sentTo, subject, text, code, at) VALUES (?, ?, ?, ?, ?)',
    mail.to,
    mail.subject,
    mail.text,
    mail.code ?? null,
    world.clock.now(),
  );
  recordJournalEffect(world, 'mail', { userId, to: mail.to, subject: mail.subject });
};

const mailRow = z.object({
  sentTo: z.string(),
  subject: z.string(),
  text: z.string(),
  code: z.string().nullable(),
  at: z.int(),
});

/** Returns the mails to an address, or to all addresses if `email` is null, newest first. */
export const listMailsTo = ({ db }: World, email: string | null): (Mail & { at: string })[] =>
  selectAllRows(
    db,
    mailRow,
    'SELECT * FROM mails WHERE ?1 IS NULL OR sentTo = ?1 ORDER BY seq DESC LIMIT 500',
    email,
  ).map(({ sentTo, subject, text, code, at }) => ({
    to: sentTo,
    subject,
    text,
    ...(code === null ? {} : { code }),
    at: formatIsoTime(at),
  }));

type NotificationKind = 'sale' | 'published' | 'listing_ready' | 'listing_failed' | 'unsold' | 'account';

/** Adds a notification to the service's app. */
export const addPersonNotification = (
  world: World,
  userId: string,
  { kind, text, listingId = null }: { kind: NotificationKind; text: string; listingId?: string | null },
): void => {
  runStatement(
    world.db,
    'INSERT INTO notifications (notifId, userId, kind, text, listingId, createdAt) VALUES (?, ?, ?, ?, ?, ?)',
    createPrefixedId('ntf'),
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

const notifiedSaleRow = z.object({ amountMinor: z.int(), currency: z.string(), buyer: z.string() });
/** A notification belongs to the sale that precedes it by at most this time. */
const maxSaleToNoticeMs = 1_000;

const findNotifiedSale = (world: World, { kind, listingId, createdAt }: NotificationRow) =>
  kind !== 'sale'
    ? null
    : selectFirstRow(
        world.db,
        notifiedSaleRow,
        `SELECT quantity * unitCents AS amountMinor, currency, buyer FROM sales
         WHERE listingId = ? AND at BETWEEN ? AND ? ORDER BY at DESC LIMIT 1`,
        listingId,
        createdAt - maxSaleToNoticeMs,
        createdAt,
      );

const toApiNotification = (world: World, row: NotificationRow) => ({
  ...toPlainNotification(row),
  ...findNotifiedSale(world, row),
});

const toPlainNotification = ({ notifId, kind, text, listingId, readAt, viewedAt, createdAt }: NotificationRow) => ({
  notifId,
  kind,
  text,
  listingId,
  read: readAt !== null,
  viewed: viewedAt !== null,
  createdAt: formatIsoTime(createdAt),
});

/** Returns one page of notifications, newest first. */
export const listPersonNotifications = (world: World, person: Person, limit: number, before: number) => {
  const rows = selectAllRows(
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
      selectFirstRow(
        world.db,
        countRow,
        'SELECT COUNT(*) AS n FROM notifications WHERE userId = ? AND readAt IS NULL',
        person.userId,
      )?.n ?? 0,
    nextCursor: rows.length > limit ? String(page.at(-1)?.seq ?? 0) : null,
  };
};

export const markNotificationRead = (world: World, person: Person, notifId: string) => {
  const found = selectFirstRow(world.db, notificationRow, 'SELECT * FROM notifications WHERE notifId = ?', notifId);
  if (!found) return refuseCall(404, 'There is no notification with this id.');
  if (found.userId !== person.userId) return refuseCall(403, 'This notification belongs to another person.');
  runStatement(
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

export const markNotificationsViewed = (world: World, person: Person): number =>
  runStatement(
    world.db,
    'UPDATE notifications SET viewedAt = ? WHERE userId = ? AND viewedAt IS NULL',
    world.clock.now(),
    person.userId,
  );
