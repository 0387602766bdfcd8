import { approvals, extraUse, moves, onOff, type Row } from './row.ts';

const story = { properties: 'no sequence of calls breaks a rule of the service' };
const usedUp = 'the plan is used first, then credits; after that the listing fails with USAGE_LIMIT';
const unreadable = 'unreadable photos fail the listing, which can be reverted and generated again';

/** States, lifecycles and extras rules. */
export const states: Record<string, Row> = {
  'state e683b558': {
    about: 'nothing → draft',
    proof: {
      goldenPath: 'one item goes from photos to a live page',
      drafts: 'the same key and body create one listing, and the replayed answer is marked',
    },
  },
  'state 80eada55': {
    about: 'draft → processing',
    proof: {
      generate: [
        'generating a draft without photos is refused and uses nothing',
        'five listings are generated at a time',
        'generating takes as long as the controls say, by the service’s clock',
      ],
      transitions: moves,
      ...story,
    },
  },
  'state 38bd4cdd': {
    about: 'processing → pending_review',
    proof: { generate: 'generating takes as long as the controls say, by the service’s clock', transitions: moves },
  },
  'state 538b8a55': {
    about: 'processing → failed',
    proof: {
      generate: [unreadable, 'a writer that crashes fails the listing with a sentence, and the service logs the error'],
    },
  },
  'state 0235500e': {
    about: 'nothing left → failed',
    proof: { generate: usedUp, limits: 'the last listing of the plan $name is generated, and the next listing fails' },
  },
  'state 6337e89a': {
    about: 'failed → draft or pending_review',
    proof: {
      generate: [unreadable, 'a listing that was generated before returns to review, not to draft'],
      transitions: moves,
    },
  },
  'state 39a687f8': {
    about: 'ended → pending_review',
    proof: {
      transitions: [moves, 'a relisted listing is a new listing at the marketplace, and still counts as formerly live'],
    },
  },
  'state 22cd1de2': {
    about: 'pending_review → published',
    proof: {
      transitions: moves,
      publish: 'parallel publishes of one listing are charged once',
      goldenPath: 'one item goes from photos to a live page',
    },
  },
  'state f17dd549': { about: 'published → ended', proof: { transitions: moves } },
  'state 8cc213fe': {
    about: 'deleted',
    proof: {
      transitions: [moves, 'a relisted listing is a new listing at the marketplace, and still counts as formerly live'],
    },
  },
  'state ebab3c04': { about: 'edited', proof: { transitions: moves } },
  'state 6e42e8c7': {
    about: 'revised',
    proof: { transitions: [moves, 'revising a live listing changes only the named fields'] },
  },
  'state 12b9705c': {
    about: 'published → sold',
    proof: { transitions: 'buyers can buy until the quantity is used up' },
  },
  'lifecycle 35e54652': {
    about: 'the sign-in by a code',
    proof: {
      signIn: [
        'a sign-in code works once',
        'a sign-in code works for 10 minutes',
        'the fifth wrong attempt ends the sign-in, even for the right code',
      ],
    },
  },
  'lifecycle 46f2fe3b': {
    about: 'an approval of extras',
    proof: {
      billing: [approvals, 'an extras approval lasts 24 hours', extraUse],
      limits: 'a newer extras approval, even by another assistant, supersedes the previous one',
    },
  },
  'lifecycle 168bec8d': {
    about: 'the switch of extras',
    proof: {
      limits: 'extras are on or off for the whole account',
      billing: 'a checkout is offered once to a person without a plan, and only the person can start it',
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
      billing: [approvals, 'malformed billing requests are refused with their error codes'],
      limits: 'a newer extras approval, even by another assistant, supersedes the previous one',
    },
  },
  'extras a0e656f8': {
    about: 'an approval is over after a day',
    proof: { billing: 'an extras approval lasts 24 hours' },
  },
};
