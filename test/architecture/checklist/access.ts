import { approvals, extraUse, moves, onOff, budget, type Row } from './row.ts';

const keyed = 'without a key 401, with a dead one a bare 403';

/** Authentication, events and statuses. */
export const access: Record<string, Row> = {
  'auth 1': {
    about: 'bearer keys',
    proof: { conformance: keyed, keys: 'a key is nowhere in the state of the service' },
  },
  'auth 2': { about: 'connecting by a code', proof: { goldenPath: 'one item goes from photos to a live page' } },
  'auth 2.1': { about: 'which address', duty: 'What an assistant asks its person.' },
  'auth 2.2': {
    about: 'what the person is told',
    proof: {
      signIn: 'a known and an unknown address are answered alike, and an account is made only when the code is right',
      goldenPath: 'one item goes from photos to a live page',
    },
  },
  'auth 2.3': {
    about: 'asking for a code',
    proof: {
      causes: 'no codes are sent, and no try is counted',
      signIn: 'an address gets five codes an hour',
    },
  },
  'auth 2.4': {
    about: 'the code',
    proof: {
      signIn: [
        'a code works for 10 minutes',
        'a code works once',
        'the fifth wrong try uses the sign-in up, even for the right code',
      ],
    },
  },
  'auth 2.5': {
    about: 'the key is shown once',
    proof: {
      keys: [
        'a revoked key is dead, and other keys of the person are not',
        'a key is nowhere in the state of the service',
      ],
    },
  },
  'auth 3': {
    about: 'keys of the web settings',
    proof: { webSettings: 'the person sees every connected assistant and disconnects any of them' },
  },
  'auth 4': {
    about: 'how long keys live',
    proof: {
      keys: [
        'a key that is not used for 180 days is dead, one that is used lives on',
        'a revoked key is dead, and other keys of the person are not',
      ],
      webSettings: [
        'deleting the account ends every key, and its address cannot be used',
        'a password reset ends the keys made by a code, but neither the first password nor keys made in the settings',
      ],
    },
  },
  'auth 5': {
    about: '401, 403, bare 403',
    proof: {
      conformance: [keyed, "another person's is refused with a sentence", 'routes that are not for assistants'],
    },
  },
  'auth 6': {
    about: "another person's user id",
    proof: { account: 'the account, and only the own one', conformance: "another person's is refused with a sentence" },
  },
  'auth 7': {
    about: 'the person disconnects assistants',
    proof: { webSettings: 'the person sees every connected assistant and disconnects any of them', billing: extraUse },
  },
  'auth 8': { about: 'public routes', proof: { conformance: 'a good call is answered as the contract says' } },
  'event 782136ab': { about: 'no calls to assistants', duty: 'There is nothing in the service that calls out.' },
  'event b0aa649d': {
    about: 'notifications',
    proof: {
      account: 'notifications are read one by one and seen all at once',
      transitions: 'buyers buy until nothing is left',
    },
  },
  'event dc27afe0': { about: 'preferences', proof: { account: 'preferences keep what is not named' } },
  'event 41838bb7': { about: 'inbound routes', proof: { conformance: 'routes that are not for assistants' } },
  'event 1e56f5e1': {
    about: 'mails about extras',
    proof: {
      billing: [onOff, approvals],
      limits: 'a receipt that was never sent is sent when extras are turned on again',
    },
  },
  'status 400': {
    about: 'not right',
    proof: { conformance: 'an input that is not right is 400 and says why', generate: 'five at a time' },
  },
  'status 401': { about: 'no key', proof: { conformance: keyed } },
  'status 403': { about: 'not yours', proof: { conformance: ["another person's is refused with a sentence", keyed] } },
  'status 404': {
    about: 'not there',
    proof: {
      drafts: [
        'a key whose listing was deleted answers 404',
        "another person's listing is refused with a sentence, one that is not there is not found",
      ],
    },
  },
  'status 409': {
    about: 'not in this state',
    proof: { transitions: moves, generate: 'parallel calls for one listing use one listing of the allowance' },
  },
  'status 429': {
    about: 'too many',
    proof: {
      limits: budget,
      signIn: 'an address gets five codes an hour',
      causes: 'an assistant that calls too often is refused with 429 for as long as it says, and no other is',
    },
  },
  'status 5xx': {
    about: 'a fault',
    proof: {
      faults: 'the next calls fail as they were told to, then all is well',
      access: 'no route answers a fault of the service, whatever its empty call is',
    },
  },
};
