import { approvals, onOff, budget, type Row } from './row.ts';

const quotes = 'the daily budget for fee quotes resets at midnight Pacific time';

/** Limits. */
export const limits: Record<string, Row> = {
  'limit f94a12fa': {
    about: 'listings of a plan',
    proof: {
      limits: [
        'the plan $name has $listingsPerMonth listings a month and $photosPerListing photos a listing',
        'the last listing of the plan $name is generated, and the next listing fails',
      ],
    },
  },
  'limit 09b22dd0': {
    about: 'photos of a plan',
    proof: { limits: 'the plan $name has $listingsPerMonth listings a month and $photosPerListing photos a listing' },
  },
  'limit f12cc61c': {
    about: 'types of photos',
    proof: {
      limits: 'an upload slot is refused for the type %s',
      uploads: 'an uploaded %s photo can be downloaded unchanged',
    },
  },
  'limit 1d879864': {
    about: 'the time to upload',
    proof: {
      uploads: ['an upload slot expires after 15 minutes', 'the uploaded type must match the requested type'],
    },
  },
  'limit 572bac73': { about: 'at a time', proof: { generate: 'at most five listings are generated at a time' } },
  'limit b12135c6': {
    about: 'once an item',
    proof: {
      generate: [
        'a generated listing cannot be generated again',
        'parallel generate calls for one listing use the allowance only once',
      ],
    },
  },
  'limit 9ebe9229': {
    about: 'reading what is written',
    duty: 'What a caller keeps; the companion’s own tests hold it to it.',
  },
  'limit e293fcda': {
    about: 'reading notifications',
    duty: 'What a caller keeps; the companion’s own tests hold it to it.',
  },
  'limit d83aa5c0': {
    about: 'idempotency',
    proof: {
      drafts: [
        'the idempotency key %j is refused',
        'a repeated request with the same idempotency key creates no second listing',
        'an idempotency key can be used for another listing after 24 hours',
      ],
    },
  },
  'limit 1c209475': {
    about: 'the link to connect',
    proof: { publish: 'a connect link works once and expires after 10 minutes' },
  },
  'limit 17b4a1ab': {
    about: 'the code',
    proof: {
      signIn: [
        'a sign-in code expires after 10 minutes',
        'after five wrong codes the right code is refused too',
        'an invalid address and an invalid code are refused',
      ],
    },
  },
  'limit 554507dd': {
    about: 'idle keys',
    proof: { keys: 'a key expires after 180 days without use' },
  },
  'limit d101cc92': {
    about: 'approvals',
    proof: {
      billing: [approvals, 'an extras approval expires after 24 hours'],
      limits: 'a newer extras approval by another assistant supersedes the previous approval',
    },
  },
  'limit 42602a5a': { about: 'turning on', proof: { billing: onOff } },
  'limit 0e40bbde': {
    about: 'extras at a time',
    proof: { limits: 'parallel generations use no more extras than the person approved' },
  },
  'limit 73c84b88': {
    about: 'the trial',
    proof: { billing: 'a checkout changes the plan only after the person completes the payment' },
  },
  'limit bed363e7': { about: 'quotes', proof: { billing: quotes } },
  'limit 33701273': {
    about: 'daily budgets',
    proof: {
      limits: [budget, 'each quota of the interface applies to at least one route'],
      billing: quotes,
      budgets: 'the time until midnight Pacific time is correct for %s',
    },
  },
  'limit 6ee9b4bb': { about: 'codes an hour', proof: { signIn: 'an address gets at most five codes an hour' } },
};
