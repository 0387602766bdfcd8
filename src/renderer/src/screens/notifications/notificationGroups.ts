import type { CallAnswer } from '../../../../ipc/calls.ts';

export type Notification = CallAnswer<'notifications.list'>['rows'][number];

/** A seller gets many notifications of these kinds, so they are grouped. */
const groupedKinds = ['listing_ready', 'published'] as const;
export type GroupedKind = (typeof groupedKinds)[number];

/** Uses `viewed` if the service does not report `read`. */
export const isNotificationUnread = ({ read, viewed }: Pick<Notification, 'read' | 'viewed'>): boolean =>
  (read ?? viewed) === false;

/** Items already counts these items, so the sidebar does not count them a second time. */
const kindsOfItems: readonly string[] = ['listing_ready', 'listing_failed'];

/** Returns whether the sidebar counts the notification. */
export const isCountedNews = (row: Notification): boolean =>
  isNotificationUnread(row) && !kindsOfItems.some((kind) => kind === row.kind);

export type NotificationEntry =
  { kind: 'one'; row: Notification } | { kind: 'group'; of: GroupedKind; rows: readonly Notification[] };

const findGroupedKind = ({ kind }: Notification): GroupedKind | null =>
  groupedKinds.find((one) => one === kind) ?? null;

/** Two or more notifications of a grouped kind form a group at the position of the newest one. */
export const groupNotifications = (
  rows: readonly Notification[],
): { sales: Notification[]; others: NotificationEntry[] } => {
  const sales = rows.filter(({ kind }) => kind === 'sale');
  const others: NotificationEntry[] = [];
  for (const row of rows) {
    if (row.kind === 'sale') continue;
    const of = findGroupedKind(row);
    const all = of === null ? [] : rows.filter(({ kind }) => kind === of);
    if (of === null || all.length === 1) others.push({ kind: 'one', row });
    else if (all[0] === row) others.push({ kind: 'group', of, rows: all });
  }
  return { sales, others };
};
