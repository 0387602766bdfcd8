import { ordered, approvals, extraUse, onOff, type Row } from './row.ts';

const mailless = 'extras are not turned on and nothing is approved: TRY_AGAIN; off works all the same';

/** Codes of single operations. */
export const codes: Record<string, Row> = {
  'POST /listings IDEMPOTENCY_KEY_REUSED': {
    about: 'another body',
    proof: { drafts: ['the same key with another body is refused', 'after 24 hours the key is free again'] },
  },
  'POST /listings INVALID_IDEMPOTENCY_KEY': { about: 'no key', proof: { drafts: 'the key %j is refused' } },
  'generate BAD_EXTRAS_APPROVAL': { about: 'no approval id', proof: { billing: approvals } },
  'generate EXTRAS_APPROVAL_REQUIRED': { about: 'not usable', proof: { billing: [approvals, extraUse] } },
  '/agent/auth/verify INVALID_CODE': {
    about: 'a wrong code',
    proof: { signIn: ['a code works once', 'what is no address or no code is refused'] },
  },
  '/agent/auth/verify AGENT_KEY_LIMIT': {
    about: 'too many assistants',
    proof: { keys: 'an account has a limit of keys' },
  },
  '/agent/auth/verify ACCOUNT_BUSY': {
    about: 'a slow set-up',
    proof: { causes: 'a new account takes a while to set up: ACCOUNT_BUSY, and the same code works afterwards' },
  },
  '/agent/auth/verify ACCOUNT_UNAVAILABLE': {
    about: 'a deleted account',
    proof: { webSettings: 'deleting the account ends every key, and its address cannot be used' },
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
    proof: { causes: 'of two who turn extras on, the second is told of the first: overage-state-conflict' },
  },
  'PATCH /subscriptions/overage overage-provider-unavailable': { about: 'ordered only', proof: ordered },
  'PATCH /subscriptions/overage overage-update-failed': { about: 'ordered only', proof: ordered },
  'PATCH /subscriptions/overage invalid-overage-request': {
    about: 'no such body',
    proof: { billing: 'bodies that are not of the form have their codes' },
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
    proof: { limits: 'a receipt that was never sent is sent when extras are turned on again' },
  },
  'POST /subscriptions/extras-approval EXTRAS_CHANGED': {
    about: 'two changes at once',
    proof: { causes: 'extras are turned off while they are approved: EXTRAS_CHANGED, and nothing is approved' },
  },
  'POST /subscriptions/extras-approval TRY_AGAIN': { about: 'no mails', proof: { causes: mailless } },
  'POST /subscriptions/extras-approval INVALID_REQUEST': {
    about: 'no such body',
    proof: { billing: 'bodies that are not of the form have their codes' },
  },
  'POST /subscriptions/extras-approval AGENT_ONLY': { about: 'ordered only', proof: ordered },
};
