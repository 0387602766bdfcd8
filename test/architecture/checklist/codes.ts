import { ordered, approvals, extraUse, onOff, type Row } from './row.ts';

const mailless =
  'turning extras on and approving extras are refused with TRY_AGAIN, and turning extras off still works';

/** Codes of single operations. */
export const codes: Record<string, Row> = {
  'POST /listings IDEMPOTENCY_KEY_REUSED': {
    about: 'another body',
    proof: { drafts: ['the same key with another body is refused', 'an idempotency key is free again after 24 hours'] },
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
    proof: { keys: 'an account has a limited number of keys' },
  },
  '/agent/auth/verify ACCOUNT_BUSY': {
    about: 'a slow set-up',
    proof: {
      causes: 'a new account is refused with ACCOUNT_BUSY while it is set up, and the same code works afterwards',
    },
  },
  '/agent/auth/verify ACCOUNT_UNAVAILABLE': {
    about: 'a deleted account',
    proof: { webSettings: 'deleting the account ends every key, and its address cannot be used again' },
  },
  'PATCH /subscriptions/overage RATE_CHANGED': { about: 'another rate', proof: { billing: onOff } },
  'PATCH /subscriptions/overage EXTRAS_ON_LIMIT': { about: 'on again too soon', proof: { billing: onOff } },
  'PATCH /subscriptions/overage EXTRAS_UNAVAILABLE': { about: 'ordered only', proof: ordered },
  'PATCH /subscriptions/overage overage-unavailable': {
    about: 'a plan without extras',
    proof: {
      billing: 'the plan of %j has no extras',
      causes: 'a plan that is %s has no extras: %s',
    },
  },
  'PATCH /subscriptions/overage TRY_AGAIN': { about: 'no mails', proof: { causes: mailless } },
  'PATCH /subscriptions/overage overage-state-conflict': {
    about: 'two changes at once',
    proof: { causes: 'the second of two concurrent requests to turn extras on is refused with overage-state-conflict' },
  },
  'PATCH /subscriptions/overage overage-provider-unavailable': { about: 'ordered only', proof: ordered },
  'PATCH /subscriptions/overage overage-update-failed': { about: 'ordered only', proof: ordered },
  'PATCH /subscriptions/overage invalid-overage-request': {
    about: 'no such body',
    proof: { billing: 'malformed billing requests are refused with their error codes' },
  },
  'POST /subscriptions/extras-approval EXTRAS_OFF': { about: 'off', proof: { billing: approvals } },
  'POST /subscriptions/extras-approval RATE_CHANGED': { about: 'another rate', proof: { billing: approvals } },
  'POST /subscriptions/extras-approval EXTRAS_UNAVAILABLE': {
    about: 'a plan without extras',
    proof: { billing: 'the plan of %j has no extras' },
  },
  'POST /subscriptions/extras-approval EXTRAS_DAILY_LIMIT': { about: 'a day’s share', proof: { billing: approvals } },
  'POST /subscriptions/extras-approval EXTRAS_ON_UNCONFIRMED': {
    about: 'no receipt',
    proof: { limits: 'an extras receipt that was never sent is sent when extras are turned on again' },
  },
  'POST /subscriptions/extras-approval EXTRAS_CHANGED': {
    about: 'two changes at once',
    proof: {
      causes: 'an extras approval is refused with EXTRAS_CHANGED if extras are turned off while it is in flight',
    },
  },
  'POST /subscriptions/extras-approval TRY_AGAIN': { about: 'no mails', proof: { causes: mailless } },
  'POST /subscriptions/extras-approval INVALID_REQUEST': {
    about: 'no such body',
    proof: { billing: 'malformed billing requests are refused with their error codes' },
  },
  'POST /subscriptions/extras-approval AGENT_ONLY': { about: 'ordered only', proof: ordered },
};
