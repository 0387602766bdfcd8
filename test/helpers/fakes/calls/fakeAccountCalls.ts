import type { RouteAnswers } from '../fakeService.ts';

type Body = Record<string, unknown>;

const day = 86_400_000;

const plans = [
  ['free', 'Free', 0, 5, 4, null],
  ['lite', 'Lite', 1_499, 30, 12, 45],
  ['starter', 'Starter', 4_999, 100, 16, 40],
  ['pro', 'Pro', 11_999, 250, 16, 35],
  ['business', 'Business', 22_999, 500, 16, 30],
] as const;

const planList = () =>
  plans.map(([code, name, priceCents, listingsPerMonth, photosPerListing, extraRateCents]) => ({
    code,
    name,
    priceCents,
    currency: 'USD',
    listingsPerMonth,
    photosPerListing,
    extraRateCents,
    ...(code === 'lite' ? { trialDays: 7 } : {}),
  }));

const person: Body = { userId: 'usr_1', name: 'Robin', language: 'en', autoDelistDefault: true };
const mails: Body = { security: true, billing: true, sales: true, news: false };
const pushes: Body = { sales: true, publishResults: true, weeklyDigest: false };

const keys = () => [
  {
    keyId: 'key_1',
    label: 'Listing Companion on desk',
    connectedBy: 'code',
    lastUsedAt: new Date(Date.now() - 40_000).toISOString(),
    current: true,
  },
  {
    keyId: 'key_2',
    label: 'Chat helper',
    connectedBy: 'settings',
    lastUsedAt: new Date(Date.now() - 12 * day).toISOString(),
    current: false,
  },
];

const invoices = [
  { invoiceId: 'inv_2', text: 'Starter, one month', amountCents: 4_999, currency: 'USD', at: '2026-11-02T10:00:00Z' },
  { invoiceId: 'inv_1', text: '5 listing credits', amountCents: 499, currency: 'USD', at: '2026-10-12T10:00:00Z' },
];

const none = (): boolean => window.scenario?.noSales === true;

/** The service's answers about the account; saved values stay until the page ends. */
export const accountAnswers: RouteAnswers = {
  listPlans: () => ({ plans: planList() }),
  listProducts: () => ({
    plans: planList(),
    trialEligible: window.scenario?.tried !== true,
    credits: [
      { productId: 'credits_5', name: '5 listing credits', priceCents: 499 },
      { productId: 'credits_20', name: '20 listing credits', priceCents: 1_799 },
    ],
  }),
  listInvoices: () => ({ invoices: none() ? [] : invoices }),
  checkPromoCode: (_fake, { body }) =>
    body?.['code'] === 'AUTUMN10' ? { valid: true, percentOff: 10 } : { valid: false },
  readReferrals: () => ({ link: 'https://service.example/r/robin', code: 'robin', joined: 2 }),
  readAccount: () => ({ userId: 'usr_1', email: 'robin@example.org', name: 'Robin' }),
  readUser: () => person,
  updateUser: (_fake, { body }) => Object.assign(person, body),
  readUserNotificationPreferences: () => mails,
  updateUserNotificationPreferences: (_fake, { body }) => Object.assign(mails, body),
  readPushPreferences: () => pushes,
  updatePushPreferences: (_fake, { body }) => Object.assign(pushes, body),
  listKeys: () => ({ keys: keys() }),
};

/** The effects of approved requests. */
export const accountEffects: RouteAnswers = {
  updateUser: (_fake, { body }) => Object.assign(person, body),
  revokeCurrentKey: (fake) => (fake.state = { ...fake.state, connection: 'none', person: null }),
};
