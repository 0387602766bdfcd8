import type { ApprovalView } from '../../../../src/core/storage/tables/approvalRecord.ts';
import { publishApproval } from '../fakeApprovals.ts';
import { change } from '../fakePrompt.ts';
import type { Fake } from '../fakeCompanion.ts';

type Body = Record<string, unknown>;
type Input = { body?: Body };

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

/** What the service answers about the account; what is saved stays for the page. */
export const accountAnswers: Record<string, (fake: Fake, input: Input) => unknown> = {
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
  checkPromoCode: (_fake, { body }) => (body?.code === 'AUTUMN10' ? { valid: true, percentOff: 10 } : { valid: false }),
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

const question = (route: ApprovalView['route'], act: string, yes: string, final = false): ApprovalView => {
  const base = publishApproval({ by: { kind: 'person' }, reason: null, approvalId: `apr_${route}`, route });
  const undo = final ? 'This cannot be undone.' : 'It can be changed again later.';
  return {
    ...base,
    prompt: { ...base.prompt, act, consequence: '', target: null, facts: [], money: null, yes, final, undo },
  };
};

let wanted: Body = {};

/** What a yes about the account leads to. */
export const afterAccountYes = (fake: Fake, approvalId: string): void => {
  if (approvalId === 'apr_updateUser') Object.assign(person, wanted);
  if (approvalId === 'apr_revokeCurrentKey') fake.state = { ...fake.state, connection: 'none', person: null };
  setTimeout(() => ['account', 'app'].forEach(fake.changed), 60);
};

/** The questions about the account; null where nothing is asked. */
export const accountAsks: Record<string, (fake: Fake, input: Input) => ApprovalView | null> = {
  updateUser: (_fake, { body = {} }) => {
    if (body.autoDelistDefault === undefined) return null;
    wanted = body;
    return question('updateUser', 'Change what happens after a sale', 'Save the setting');
  },
  revokeCurrentKey: () => question('revokeCurrentKey', 'Disconnect from the service', 'Disconnect for good', true),
  sendContact: (_fake, { body }) => {
    const asked = question('sendContact', "Send a message to the service's support", 'Send the message', true);
    const changes = Object.entries(body ?? {}).map(([label, after]) => change(label, '', String(after)));
    return { ...asked, prompt: { ...asked.prompt, changes } };
  },
};
