import { approvals, extraUse, moves, onOff, type Row } from './row.ts';

const story = { properties: 'whatever is called in whatever order, no rule of the service is broken' };
const usedUp = 'plan first, then credits, then nothing: the listing fails with USAGE_LIMIT';
const unreadable = 'unreadable photos fail the listing, and it can be taken back and written again';

/** States, lifecycles and extras rules. */
export const states: Record<string, Row> = {
  'state e683b558': {
    about: 'nothing → draft',
    proof: {
      goldenPath: 'one item goes from photos to a live page',
      drafts: 'the same key and body make one listing, and a replay says so',
    },
  },
  'state 80eada55': {
    about: 'draft → processing',
    proof: {
      generate: [
        'a draft without photos is refused and nothing is used',
        'five at a time',
        'writing takes as long as the controls say, on the clock of the service',
      ],
      transitions: moves,
      ...story,
    },
  },
  'state 38bd4cdd': {
    about: 'processing → pending_review',
    proof: { generate: 'writing takes as long as the controls say, on the clock of the service', transitions: moves },
  },
  'state 538b8a55': {
    about: 'processing → failed',
    proof: {
      generate: [
        unreadable,
        'a writer that breaks fails the listing with a sentence, and the service says so to its log',
      ],
    },
  },
  'state 0235500e': {
    about: 'nothing left → failed',
    proof: { generate: usedUp, limits: 'the last listing of the plan $name is its last' },
  },
  'state 6337e89a': {
    about: 'failed → draft or pending_review',
    proof: {
      generate: [unreadable, 'a listing that was written once goes back to review, not to draft'],
      transitions: moves,
    },
  },
  'state 39a687f8': {
    about: 'ended → pending_review',
    proof: { transitions: [moves, 'a relist is a new listing at the marketplace, and was live all the same'] },
  },
  'state 22cd1de2': {
    about: 'pending_review → published',
    proof: {
      transitions: moves,
      publish: 'parallel publishes of one listing charge once',
      goldenPath: 'one item goes from photos to a live page',
    },
  },
  'state f17dd549': { about: 'published → ended', proof: { transitions: moves } },
  'state 8cc213fe': {
    about: 'deleted',
    proof: { transitions: [moves, 'a relist is a new listing at the marketplace, and was live all the same'] },
  },
  'state ebab3c04': { about: 'edited', proof: { transitions: moves } },
  'state 6e42e8c7': {
    about: 'revised',
    proof: { transitions: [moves, 'a live listing changes in the named fields only'] },
  },
  'state 12b9705c': { about: 'published → sold', proof: { transitions: 'buyers buy until nothing is left' } },
  'lifecycle 35e54652': {
    about: 'the sign-in by a code',
    proof: {
      signIn: [
        'a code works once',
        'a code works for 10 minutes',
        'the fifth wrong try uses the sign-in up, even for the right code',
      ],
    },
  },
  'lifecycle 46f2fe3b': {
    about: 'an approval of extras',
    proof: {
      billing: [approvals, 'an approval lasts 24 hours', extraUse],
      limits: 'a newer approval, also by another assistant, takes the place of the one before',
    },
  },
  'lifecycle 168bec8d': {
    about: 'the switch of extras',
    proof: {
      limits: 'extras are on or off for the whole account',
      billing: 'a checkout is offered to who has no plan, once; the person starts it, never the call',
    },
  },
  'extras 6738a92d': {
    about: 'turned on once a day',
    proof: { billing: onOff, limits: 'extras are on or off for the whole account' },
  },
  'extras 2dd2938d': { about: 'off always works', proof: { billing: [onOff, approvals] } },
  'extras 74c17dac': {
    about: '50 an approval, 50 a day',
    proof: {
      billing: [approvals, 'bodies that are not of the form have their codes'],
      limits: 'a newer approval, also by another assistant, takes the place of the one before',
    },
  },
  'extras a0e656f8': { about: 'an approval is over after a day', proof: { billing: 'an approval lasts 24 hours' } },
};
