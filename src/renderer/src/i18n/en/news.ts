/** What the service told the person: sales, publish results, account notices. */
export const news = {
  title: 'Notifications',
  list: 'Notifications, newest first',
  new: 'New',
  unread: 'Not opened',
  open: 'Open the listing',
  markRead: 'Mark as read',
  readAt: 'Last read <when/>. They are looked for once a minute while nothing is paused.',
  notYet: 'They are read from the service within a minute.',
  emptyTitle: 'Your notifications will be here',
  empty: 'Sales, what came of a publish, and notices about your account. The first comes when a listing goes live.',
  firstStep: 'Look over what is ready',
  kind: {
    sale: 'Sale',
    published: 'Published',
    listing_ready: 'Ready to review',
    listing_failed: 'Not written',
    account: 'Account',
    other: 'Notice',
  },
} as const;
