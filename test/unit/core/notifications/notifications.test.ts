import { expect, test } from 'vitest';
import { isNotificationFresh, parseNotificationsAnswer } from '../../../../src/core/notifications/noticeBoard.ts';

test('unknown values in a notification response are read as null', () => {
  const rows = parseNotificationsAnswer({
    notifications: [
      { notifId: 'a', kind: 7, text: 'Hello', listingId: {}, buyer: 3, createdAt: 'yesterday' },
      { text: 'without a name' },
      'nonsense',
      { notifId: 'b', read: false },
      { notifId: 'c', read: true, viewed: false },
    ],
  });
  expect(rows.map(({ notifId }) => notifId)).toEqual(['a', 'b', 'c']);
  expect(rows[0]).toEqual({
    notifId: 'a',
    kind: null,
    text: 'Hello',
    listingId: null,
    read: null,
    viewed: null,
    amount: null,
    buyer: null,
    at: null,
  });
  expect(rows.map(isNotificationFresh)).toEqual([false, true, false]);
});
