import { approvals, onOff, budget, type Row } from './row.ts';

const quotes = 'fee quotes have a daily budget, which starts again at midnight Pacific time';

/** Limits. */
export const limits: Record<string, Row> = {
  'limit f94a12fa': {
    about: 'listings of a plan',
    proof: {
      limits: [
        'the plan $name has $listingsPerMonth listings and $photosPerListing photos',
        'the last listing of the plan $name is its last',
      ],
    },
  },
  'limit 09b22dd0': {
    about: 'photos of a plan',
    proof: { limits: 'the plan $name has $listingsPerMonth listings and $photosPerListing photos' },
  },
  'limit f12cc61c': {
    about: 'types of photos',
    proof: { limits: 'no upload address is given for %s', uploads: 'a %s arrives and can be looked at' },
  },
  'limit 1d879864': {
    about: 'the time to upload',
    proof: {
      uploads: ['an address lasts 15 minutes', 'the type has to be the one asked for'],
    },
  },
  'limit 572bac73': { about: 'at a time', proof: { generate: 'five at a time' } },
  'limit b12135c6': {
    about: 'once an item',
    proof: {
      generate: [
        'a written listing is not written again',
        'parallel calls for one listing use one listing of the allowance',
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
        'the key %j is refused',
        'the same key and body make one listing, and a replay says so',
        'after 24 hours the key is free again',
      ],
    },
  },
  'limit 1c209475': {
    about: 'the link to connect',
    proof: { publish: 'the link to connect lasts 10 minutes, works once, and a new one cancels the old' },
  },
  'limit 17b4a1ab': {
    about: 'the code',
    proof: {
      signIn: [
        'a code works for 10 minutes',
        'the fifth wrong try uses the sign-in up, even for the right code',
        'what is no address or no code is refused',
      ],
    },
  },
  'limit 554507dd': {
    about: 'idle keys',
    proof: { keys: 'a key that is not used for 180 days is dead, one that is used lives on' },
  },
  'limit d101cc92': {
    about: 'approvals',
    proof: {
      billing: [approvals, 'an approval lasts 24 hours'],
      limits: 'a newer approval, also by another assistant, takes the place of the one before',
    },
  },
  'limit 42602a5a': { about: 'turning on', proof: { billing: onOff } },
  'limit 0e40bbde': {
    about: 'extras at a time',
    proof: { limits: 'no more extras start at a time than the approval has left' },
  },
  'limit 73c84b88': {
    about: 'the trial',
    proof: { billing: 'a checkout is offered to who has no plan, once; the person starts it, never the call' },
  },
  'limit bed363e7': { about: 'quotes', proof: { billing: quotes } },
  'limit 33701273': {
    about: 'daily budgets',
    proof: {
      limits: [budget, 'each quota of the interface has routes'],
      billing: quotes,
      budgets: 'until midnight Pacific time on %s',
    },
  },
  'limit 6ee9b4bb': { about: 'codes an hour', proof: { signIn: 'an address gets five codes an hour' } },
};
