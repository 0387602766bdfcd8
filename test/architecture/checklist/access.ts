import { approvals, extraUse, moves, onOff, budget, type Row } from './row.ts';

const keyed = 'a call without a key is answered 401, and with a dead key a bare 403';

/** Authentication, events and statuses. */
export const access: Record<string, Row> = {
  'auth 1': {
    about: 'bearer keys',
    proof: { conformance: keyed, keys: 'no key is stored in plain text in the state of the service' },
  },
  'auth 2': { about: 'connecting by a code', proof: { goldenPath: 'one item goes from photos to a live page' } },
  'auth 2.1': { about: 'which address', duty: 'What an assistant asks its person.' },
  'auth 2.2': {
    about: 'what the person is told',
    proof: {
      signIn:
        'a known and an unknown address are answered alike, and an account is created only when the code is right',
      goldenPath: 'one item goes from photos to a live page',
    },
  },
  'auth 2.3': {
    about: 'asking for a code',
    proof: {
      causes: 'no codes are sent, and no attempt is counted',
      signIn: 'an address gets at most five codes an hour',
    },
  },
  'auth 2.4': {
    about: 'the code',
    proof: {
      signIn: [
        'a sign-in code works for 10 minutes',
        'a sign-in code works once',
        'the fifth wrong attempt ends the sign-in, even for the right code',
      ],
    },
  },
  'auth 2.5': {
    about: 'the key is shown once',
    proof: {
      keys: [
        'a revoked key is dead, and the person’s other keys still work',
        'no key is stored in plain text in the state of the service',
      ],
    },
  },
  'auth 3': {
    about: 'keys of the web settings',
    proof: { webSettings: 'the person sees every connected assistant and can disconnect any of them' },
  },
  'auth 4': {
    about: 'how long keys live',
    proof: {
      keys: [
        'a key that is unused for 180 days is dead, and a used key stays valid',
        'a revoked key is dead, and the person’s other keys still work',
      ],
      webSettings: [
        'deleting the account ends every key, and its address cannot be used again',
        'a password reset ends the keys made by a code, but not the first password or keys made in the settings',
      ],
    },
  },
  'auth 5': {
    about: '401, 403, bare 403',
    proof: {
      conformance: [
        keyed,
        'a resource of another person is refused with a sentence',
        'routes that are not for assistants',
      ],
    },
  },
  'auth 6': {
    about: "another person's user id",
    proof: {
      account: 'an assistant can read and change its own account only',
      conformance: 'a resource of another person is refused with a sentence',
    },
  },
  'auth 7': {
    about: 'the person disconnects assistants',
    proof: {
      webSettings: 'the person sees every connected assistant and can disconnect any of them',
      billing: extraUse,
    },
  },
  'auth 8': { about: 'public routes', proof: { conformance: 'a valid call is answered as the contract says' } },
  'event 782136ab': { about: 'no calls to assistants', duty: 'There is nothing in the service that calls out.' },
  'event b0aa649d': {
    about: 'notifications',
    proof: {
      account: 'notifications are marked read one by one and marked viewed all at once',
      transitions: 'buyers can buy until the quantity is used up',
    },
  },
  'event dc27afe0': {
    about: 'preferences',
    proof: { account: 'changing preferences keeps the fields that are not named' },
  },
  'event 41838bb7': { about: 'inbound routes', proof: { conformance: 'routes that are not for assistants' } },
  'event 1e56f5e1': {
    about: 'mails about extras',
    proof: {
      billing: [onOff, approvals],
      limits: 'an extras receipt that was never sent is sent when extras are turned on again',
    },
  },
  'status 400': {
    about: 'not right',
    proof: {
      conformance: 'an invalid input is refused with 400 and a reason',
      generate: 'five listings are generated at a time',
    },
  },
  'status 401': { about: 'no key', proof: { conformance: keyed } },
  'status 403': {
    about: 'not yours',
    proof: { conformance: ['a resource of another person is refused with a sentence', keyed] },
  },
  'status 404': {
    about: 'not there',
    proof: {
      drafts: [
        'an idempotency key whose listing was deleted is answered 404',
        'another person’s listing is refused with a sentence, and an unknown listing is not found',
      ],
    },
  },
  'status 409': {
    about: 'not in this state',
    proof: { transitions: moves, generate: 'parallel generate calls for one listing use one listing of the allowance' },
  },
  'status 429': {
    about: 'too many',
    proof: {
      limits: budget,
      signIn: 'an address gets at most five codes an hour',
      causes:
        'an assistant that calls too often is refused with 429 for the announced time, and other assistants are not',
    },
  },
  'status 5xx': {
    about: 'a fault',
    proof: {
      faults: 'the next calls fail as ordered, and later calls succeed',
      access: 'no route answers its empty call with a server error',
    },
  },
};
