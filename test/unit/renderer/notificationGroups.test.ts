import { expect, test } from 'vitest';
import {
  groupNotifications,
  type Notification,
} from '../../../src/renderer/src/screens/notifications/notificationGroups.ts';

const createRow = (notifId: string, kind: string): Notification => ({
  notifId,
  kind,
  text: '',
  listingId: null,
  read: false,
  viewed: false,
  amount: null,
  buyer: null,
  listing: null,
  at: null,
});

test('sales are listed separately, and other notifications of one kind are grouped', () => {
  const rows = [
    createRow('a', 'account'),
    createRow('b', 'listing_ready'),
    createRow('c', 'sale'),
    createRow('d', 'published'),
    createRow('e', 'listing_ready'),
  ];
  const { sales, others } = groupNotifications(rows);
  expect(sales.map(({ notifId }) => notifId)).toEqual(['c']);
  expect(others.map((entry) => (entry.kind === 'one' ? entry.row.notifId : [entry.of, entry.rows.length]))).toEqual([
    'a',
    ['listing_ready', 2],
    'd',
  ]);
});
