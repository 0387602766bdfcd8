import { approvals, onOff, budget, type Row } from './row.ts';

const quotes = 'fee quotes have a daily budget, which resets at midnight Pacific time';

/** Limits. */
export const limits: Record<string, Row> = {
  'limit f94a12fa': {
    about: 'listings of a plan',
    proof: {
      limits: [
        'the plan $name has $listingsPerMonth listings and $photosPerListing photos',
        'the last listing of the plan $name is generated, and the next listing fails',
      ],
    },
  },
  'limit 09b22dd0': {
    about: 'photos of a plan',
    proof: { limits: 'the plan $name has $listingsPerMonth listings and $photosPerListing photos' },
  },
  'limit f12cc61c': {
    about: 'types of photos',
    proof: { limits: 'no upload slot is given for %s', uploads: 'a %s upload is stored and can be viewed' },
  },
  'limit 1d879864': {
    about: 'the time to upload',
    proof: {
      uploads: ['an upload slot lasts 15 minutes', 'the uploaded type must match the requested type'],
    },
  },
  'limit 572bac73': { about: 'at a time', proof: { generate: 'five listings are generated at a time' } },
  'limit b12135c6': {
    about: 'once an item',
    proof: {
      generate: [
        'a generated listing is not generated again',
        'parallel generate calls for one listing use one listing of the allowance',
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
        'the same key and body create one listing, and the replayed answer is marked',
        'an idempotency key is free again after 24 hours',
      ],
    },
  },
  'limit 1c209475': {
    about: 'the link to connect',
    proof: { publish: 'a connect link lasts 10 minutes and works once, and a new link cancels the old one' },
  },
  'limit 17b4a1ab': {
    about: 'the code',
    proof: {
      signIn: [
        'a sign-in code works for 10 minutes',
        'the fifth wrong attempt ends the sign-in, even for the right code',
        'an invalid address and an invalid code are refused',
      ],
    },
  },
  'limit 554507dd': {
    about: 'idle keys',
    proof: { keys: 'a key that is unused for 180 days is dead, and a used key stays valid' },
  },
  'limit d101cc92': {
    about: 'approvals',
    proof: {
      billing: [approvals, 'an extras approval lasts 24 hours'],
      limits: 'a newer extras approval, even by another assistant, supersedes the previous one',
    },
  },
  'limit 42602a5a': { about: 'turning on', proof: { billing: onOff } },
  'limit 0e40bbde': {
    about: 'extras at a time',
    proof: { limits: 'parallel extras are limited to the remaining count of the extras approval' },
  },
  'limit 73c84b88': {
    about: 'the trial',
    proof: { billing: 'a checkout is offered once to a person without a plan, and only the person can start it' },
  },
  'limit bed363e7': { about: 'quotes', proof: { billing: quotes } },
  'limit 33701273': {
    about: 'daily budgets',
    proof: {
      limits: [budget, 'each quota of the interface covers at least one route'],
      billing: quotes,
      budgets: 'the time until midnight Pacific time is correct on %s',
    },
  },
  'limit 6ee9b4bb': { about: 'codes an hour', proof: { signIn: 'an address gets at most five codes an hour' } },
};
