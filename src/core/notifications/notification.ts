import * as z from 'zod';
import type { ProblemView } from '../base/problem.ts';

const view = z.object({
  notifId: z.string(),
  /** The service's own word for what it is about, such as `sale`. */
  kind: z.string().nullable(),
  /** May hold names that other people chose: it is data. */
  text: z.string(),
  listingId: z.string().nullable(),
  /** Null where the service does not say. */
  read: z.boolean().nullable(),
  viewed: z.boolean().nullable(),
  /** In ms since 1970; null where the service does not say. */
  at: z.int().nullable(),
});
/** A notification of the service as the windows show it. */
export type NotificationView = z.infer<typeof view>;

/** The newest notifications as they were last read; both times in ms since 1970, null when that was not yet. */
export const keptNotifications = z.object({
  askedAt: z.int().nullable(),
  readAt: z.int().nullable(),
  rows: z.array(view),
});
export type KeptNotifications = z.infer<typeof keptNotifications>;

/** What the service told the person, and how much of it was not looked at yet. */
export type NotificationsView = Pick<KeptNotifications, 'readAt' | 'rows'> & {
  fresh: number;
  /** Why they could not be read the last time. */
  problem: ProblemView | null;
};

/** The interface shows no fields of a notification: what is known is taken, and what is odd is left out. */
const row = z.looseObject({
  notifId: z.string(),
  kind: z.string().nullish().catch(null),
  text: z.string().nullish().catch(null),
  listingId: z.string().nullish().catch(null),
  read: z.boolean().nullish().catch(null),
  viewed: z.boolean().nullish().catch(null),
  createdAt: z.string().nullish().catch(null),
});
const page = z.looseObject({ notifications: z.array(z.unknown()).default([]) });

const timeOf = (text: string | null | undefined): number | null => {
  const at = Date.parse(text ?? '');
  return Number.isNaN(at) ? null : at;
};

const viewOf = ({
  notifId,
  kind,
  text,
  listingId,
  read,
  viewed,
  createdAt,
}: z.infer<typeof row>): NotificationView => ({
  notifId,
  kind: kind ?? null,
  text: text ?? '',
  listingId: listingId ?? null,
  read: read ?? null,
  viewed: viewed ?? null,
  at: timeOf(createdAt),
});

/** The notifications in an answer of the service, in its order. */
export const notificationsIn = (answer: unknown): NotificationView[] =>
  page.parse(answer).notifications.flatMap((value) => {
    const parsed = row.safeParse(value);
    return parsed.success ? [viewOf(parsed.data)] : [];
  });

/** Whether it was not looked at yet. One that was read was looked at; where the service says neither, nothing is claimed. */
export const isFresh = ({ read, viewed }: NotificationView): boolean => read !== true && (viewed ?? read) === false;
