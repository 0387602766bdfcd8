import type { CallAnswer } from '../../../../ipc/calls.ts';

export type Notification = CallAnswer<'notifications.list'>['rows'][number];

/** What a seller has many of at a time, and looks at together. */
const groupedKinds = ['listing_ready', 'published'] as const;
export type GroupedKind = (typeof groupedKinds)[number];

/** Whether the person has not read it; where the service does not say that, whether they have not looked at it. */
export const isUnread = ({ read, viewed }: Pick<Notification, 'read' | 'viewed'>): boolean =>
  (read ?? viewed) === false;

/** What stands in the list of notifications: one of them, or all of a kind under one line. */
export type Entry =
  { kind: 'one'; row: Notification } | { kind: 'group'; of: GroupedKind; rows: readonly Notification[] };

const groupOf = ({ kind }: Notification): GroupedKind | null => groupedKinds.find((one) => one === kind) ?? null;

/**
 * The sales, and everything else in the order it came: listings that were written or published stand together where the
 * newest of them is. One alone needs no group.
 */
export const arranged = (rows: readonly Notification[]): { sales: Notification[]; others: Entry[] } => {
  const sales = rows.filter(({ kind }) => kind === 'sale');
  const others: Entry[] = [];
  for (const row of rows) {
    if (row.kind === 'sale') continue;
    const of = groupOf(row);
    const all = of === null ? [] : rows.filter(({ kind }) => kind === of);
    if (of === null || all.length === 1) others.push({ kind: 'one', row });
    else if (all[0] === row) others.push({ kind: 'group', of, rows: all });
  }
  return { sales, others };
};
