import { emptyShelf, type ShelfFields } from '../../../../src/core/base/shelfFields.ts';
import type { NotificationView } from '../../../../src/core/notifications/noticeBoard.ts';
import type { NotificationsPage } from '../../../../src/ipc/calls.ts';
import type { Answers, Fake } from '../fakeCompanion.ts';

type News = Pick<Answers, Extract<keyof Answers, `notifications.${string}`>>;

const minute = 60_000;

const createNotice = (at: number, more: Partial<NotificationView>): NotificationView => ({
  notifId: `ntf_${at}`,
  kind: 'account',
  text: '',
  listingId: null,
  read: true,
  viewed: true,
  amount: null,
  buyer: null,
  at: Date.now() - at * minute,
  ...more,
});

/**
 * Two new notifications, one that was seen but not opened, and older ones; the first contains a name that would reorder
 * its line.
 */
export const fakeNotices = (): NotificationView[] => [
  createNotice(4, {
    kind: 'sale',
    text: 'ada\u202elovelace bought 1 of "Film camera, blue".',
    listingId: 'lst_fox',
    amount: { minor: 3_499, currency: 'USD' },
    buyer: 'ada\u202elovelace',
    read: false,
    viewed: false,
  }),
  createNotice(31, { text: 'A friend joined with your link.', read: false, viewed: false }),
  createNotice(300, {
    kind: 'listing_failed',
    text: '"Old laptop" could not be written: the photos could not be read.',
    listingId: 'lst_laptop',
    read: false,
  }),
  createNotice(420, {
    kind: 'listing_ready',
    text: '"Desk lamp" is ready for your review.',
    listingId: 'lst_lamp',
    read: false,
  }),
  createNotice(430, { kind: 'listing_ready', text: '"Tin robot" is ready for your review.', listingId: 'lst_robot' }),
  createNotice(1_500, { kind: 'published', text: '"Running shoes" is live on MKT_DE.', listingId: 'lst_shoes' }),
  createNotice(2_000, { kind: 'unsold', text: '"Board game" has run out and was not sold.', listingId: 'lst_board' }),
  createNotice(9_000, { kind: 'something_new', text: 'Your plan has new numbers.' }),
];

/** The titles and photos that the core would find. */
const listings: Readonly<Record<string, { title: string; photoUrl: string; shelf?: ShelfFields }>> = {
  lst_fox: {
    title: 'Film camera, blue',
    photoUrl: '/photos/camera-0/thumb',
    shelf: { ...emptyShelf, place: 'A04', sku: 'A04-3' },
  },
  lst_shoes: { title: 'Running shoes', photoUrl: '/photos/shoes-0/thumb' },
  lst_lamp: { title: 'Desk lamp', photoUrl: '/photos/frame-0/thumb' },
};

const findFakeListing = (listingId: string) => {
  const found = listings[listingId];
  return found ? { shelf: null, ...found } : null;
};

const createView = (rows: NotificationView[]): NotificationsPage => ({
  rows: rows.map((row) => ({ ...row, listing: findFakeListing(row.listingId ?? '') })),
  fresh: rows.filter(({ viewed }) => viewed === false).length,
  readAt: Date.now() - 20_000,
  problem: null,
});

/** Calls about notifications, which the core stores. */
export const createNewsCalls = (fake: Fake): News => ({
  'notifications.list': () => createView(fake.notices),
  'notifications.viewed': () => {
    fake.notices = fake.notices.map((row) => ({ ...row, viewed: true }));
    setTimeout(() => fake.changed('notifications'), 20);
    return createView(fake.notices);
  },
  'notifications.read': ({ notifId }) => {
    fake.notices = fake.notices.map((row) => (row.notifId === notifId ? { ...row, read: true, viewed: true } : row));
    return createView(fake.notices);
  },
});
