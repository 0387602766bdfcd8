import { ordered, approvals, extraUse, onOff, type Row } from './row.ts';

const mailless = 'during a mail outage, extras can be turned off but not turned on or approved';

/** Codes of single operations. */
export const codes: Record<string, Row> = {
  'POST /listings IDEMPOTENCY_KEY_REUSED': {
    about: 'another body',
    proof: {
      drafts: [
        'an idempotency key cannot be used again with a different body',
        'an idempotency key can be used for another listing after 24 hours',
      ],
    },
  },
  'POST /listings INVALID_IDEMPOTENCY_KEY': { about: 'no key', proof: { drafts: 'the idempotency key %j is refused' } },
  'generate BAD_EXTRAS_APPROVAL': { about: 'no approval id', proof: { billing: approvals } },
  'generate EXTRAS_APPROVAL_REQUIRED': { about: 'not usable', proof: { billing: [approvals, extraUse] } },
  '/agent/auth/verify INVALID_CODE': {
    about: 'a wrong code',
    proof: { signIn: ['a sign-in code works once', 'an invalid address and an invalid code are refused'] },
  },
  '/agent/auth/verify AGENT_KEY_LIMIT': {
    about: 'too many assistants',
    proof: { keys: 'an account can have at most 20 keys' },
  },
  '/agent/auth/verify ACCOUNT_BUSY': {
    about: 'a slow set-up',
    proof: {
      causes: 'a sign-in is refused with ACCOUNT_BUSY until the new account is set up',
    },
  },
  '/agent/auth/verify ACCOUNT_UNAVAILABLE': {
    about: 'a deleted account',
    proof: { webSettings: 'the keys and the e-mail address of a deleted account are refused' },
  },
  'PATCH /subscriptions/overage RATE_CHANGED': { about: 'another rate', proof: { billing: onOff } },
  'PATCH /subscriptions/overage EXTRAS_ON_LIMIT': { about: 'on again too soon', proof: { billing: onOff } },
  'PATCH /subscriptions/overage EXTRAS_UNAVAILABLE': { about: 'ordered only', proof: ordered },
  'PATCH /subscriptions/overage overage-unavailable': {
    about: 'a plan without extras',
    proof: {
      billing: 'extras are unavailable to a person with %s',
      causes: 'with a %s plan, extras are refused with the reason “%s”',
    },
  },
  'PATCH /subscriptions/overage TRY_AGAIN': { about: 'no mails', proof: { causes: mailless } },
  'PATCH /subscriptions/overage overage-state-conflict': {
    about: 'two changes at once',
    proof: { causes: 'the second request to turn extras on is refused with overage-state-conflict' },
  },
  'PATCH /subscriptions/overage overage-provider-unavailable': { about: 'ordered only', proof: ordered },
  'PATCH /subscriptions/overage overage-update-failed': { about: 'ordered only', proof: ordered },
  'PATCH /subscriptions/overage invalid-overage-request': {
    about: 'no such body',
    proof: { billing: 'each kind of malformed billing request is refused with its own error code' },
  },
  'POST /subscriptions/extras-approval EXTRAS_OFF': { about: 'off', proof: { billing: approvals } },
  'POST /subscriptions/extras-approval RATE_CHANGED': { about: 'another rate', proof: { billing: approvals } },
  'POST /subscriptions/extras-approval EXTRAS_UNAVAILABLE': {
    about: 'a plan without extras',
    proof: { billing: 'extras are unavailable to a person with %s' },
  },
  'POST /subscriptions/extras-approval EXTRAS_DAILY_LIMIT': { about: 'a day’s share', proof: { billing: approvals } },
  'POST /subscriptions/extras-approval EXTRAS_ON_UNCONFIRMED': {
    about: 'no receipt',
    proof: { limits: 'a missing confirmation e-mail is sent when extras are turned on again' },
  },
  'POST /subscriptions/extras-approval EXTRAS_CHANGED': {
    about: 'two changes at once',
    proof: {
      causes: 'an extras approval is refused with EXTRAS_CHANGED if extras have been turned off',
    },
  },
  'POST /subscriptions/extras-approval TRY_AGAIN': { about: 'no mails', proof: { causes: mailless } },
  'POST /subscriptions/extras-approval INVALID_REQUEST': {
    about: 'no such body',
    proof: { billing: 'each kind of malformed billing request is refused with its own error code' },
  },
  'POST /subscriptions/extras-approval AGENT_ONLY': { about: 'ordered only', proof: ordered },
};
