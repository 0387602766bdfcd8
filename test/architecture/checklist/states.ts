import { approvals, extraUse, moves, onOff, type Row } from './row.ts';

const story = { properties: 'no sequence of calls breaks a rule of the service' };
const usedUp = 'a generation uses the plan, then credits, then fails with USAGE_LIMIT';
const unreadable = 'a listing with unreadable photos fails, and can be generated again after a revert';

/** States, lifecycles and extras rules. */
export const states: Record<string, Row> = {
  'state e683b558': {
    about: 'nothing → draft',
    proof: {
      goldenPath: 'a draft with photos becomes a live listing with a public page',
      drafts: 'a repeated request with the same idempotency key creates no second listing',
    },
  },
  'state 80eada55': {
    about: 'draft → processing',
    proof: {
      generate: [
        'a draft without photos cannot be generated and uses no allowance',
        'at most five listings are generated at a time',
        'a generation takes the configured time on the service’s clock',
      ],
      transitions: moves,
      ...story,
    },
  },
  'state 38bd4cdd': {
    about: 'processing → pending_review',
    proof: { generate: 'a generation takes the configured time on the service’s clock', transitions: moves },
  },
  'state 538b8a55': {
    about: 'processing → failed',
    proof: {
      generate: [unreadable, 'a listing fails if the writer crashes, and the service logs the error'],
    },
  },
  'state 0235500e': {
    about: 'nothing left → failed',
    proof: { generate: usedUp, limits: 'the last listing of the plan $name is generated, and the next listing fails' },
  },
  'state 6337e89a': {
    about: 'failed → draft or pending_review',
    proof: {
      generate: [unreadable, 'a generated listing returns to review when a failed adaptation is reverted'],
      transitions: moves,
    },
  },
  'state 39a687f8': {
    about: 'ended → pending_review',
    proof: {
      transitions: [...moves, 'a relisted listing gets a new marketplace id and cannot be deleted'],
    },
  },
  'state 22cd1de2': {
    about: 'pending_review → published',
    proof: {
      transitions: moves,
      publish: 'parallel publish calls for one listing charge the fee once',
      goldenPath: 'a draft with photos becomes a live listing with a public page',
    },
  },
  'state f17dd549': { about: 'published → ended', proof: { transitions: moves } },
  'state 8cc213fe': {
    about: 'deleted',
    proof: {
      transitions: [...moves, 'a relisted listing gets a new marketplace id and cannot be deleted'],
    },
  },
  'state ebab3c04': { about: 'edited', proof: { transitions: moves } },
  'state 6e42e8c7': {
    about: 'revised',
    proof: { transitions: [...moves, 'a live listing can be revised only with valid values'] },
  },
  'state 12b9705c': {
    about: 'published → sold',
    proof: { transitions: 'a listing can be bought until its quantity is used up' },
  },
  'lifecycle 35e54652': {
    about: 'the sign-in by a code',
    proof: {
      signIn: [
        'a sign-in code works once',
        'a sign-in code expires after 10 minutes',
        'after five wrong codes the right code is refused too',
      ],
    },
  },
  'lifecycle 46f2fe3b': {
    about: 'an approval of extras',
    proof: {
      billing: [approvals, 'an extras approval expires after 24 hours', extraUse],
      limits: 'a newer extras approval by another assistant supersedes the previous approval',
    },
  },
  'lifecycle 168bec8d': {
    about: 'the switch of extras',
    proof: {
      limits: 'a change that turns extras on or off applies to all assistants of an account',
      billing: 'a checkout changes the plan only after the person completes the payment',
    },
  },
  'extras 6738a92d': {
    about: 'turned on once a day',
    proof: { billing: onOff, limits: 'a change that turns extras on or off applies to all assistants of an account' },
  },
  'extras 2dd2938d': { about: 'off always works', proof: { billing: [onOff, approvals] } },
  'extras 74c17dac': {
    about: '50 an approval, 50 a day',
    proof: {
      billing: [approvals, 'each kind of malformed billing request is refused with its own error code'],
      limits: 'a newer extras approval by another assistant supersedes the previous approval',
    },
  },
  'extras a0e656f8': {
    about: 'an approval is over after a day',
    proof: { billing: 'an extras approval expires after 24 hours' },
  },
};
