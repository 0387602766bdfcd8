import { approvals, extraUse, moves, onOff, budget, type Row } from './row.ts';

const keyed = 'a call without a key gets 401, and an unknown key gets 403';

/** Authentication, events and statuses. */
export const access: Record<string, Row> = {
  'auth 1': {
    about: 'bearer keys',
    proof: { conformance: keyed, keys: 'the service stores no key in plain text' },
  },
  'auth 2': {
    about: 'connecting by a code',
    proof: { goldenPath: 'a draft with photos becomes a live listing with a public page' },
  },
  'auth 2.1': { about: 'which address', duty: 'What an assistant asks its person.' },
  'auth 2.2': {
    about: 'what the person is told',
    proof: {
      signIn: 'the answer to a sign-in request does not reveal whether the address is known',
      goldenPath: 'a draft with photos becomes a live listing with a public page',
    },
  },
  'auth 2.3': {
    about: 'asking for a code',
    proof: {
      causes: 'during a mail outage, refused requests for a sign-in code do not use up the limit',
      signIn: 'an address gets at most five codes an hour',
    },
  },
  'auth 2.4': {
    about: 'the code',
    proof: {
      signIn: [
        'a sign-in code expires after 10 minutes',
        'a sign-in code works once',
        'after five wrong codes the right code is refused too',
      ],
    },
  },
  'auth 2.5': {
    about: 'the key is shown once',
    proof: {
      keys: ['revoking one key does not revoke the person’s other keys', 'the service stores no key in plain text'],
    },
  },
  'auth 3': {
    about: 'keys of the web settings',
    proof: { webSettings: 'the person can see and disconnect every connected assistant' },
  },
  'auth 4': {
    about: 'how long keys live',
    proof: {
      keys: ['a key expires after 180 days without use', 'revoking one key does not revoke the person’s other keys'],
      webSettings: [
        'the keys and the e-mail address of a deleted account are refused',
        'a password change revokes only the keys that were created by a sign-in code',
      ],
    },
  },
  'auth 5': {
    about: '401, 403, bare 403',
    proof: {
      conformance: [
        keyed,
        'a call for a resource of another person is refused with an error message',
        'routes that are not for assistants',
      ],
    },
  },
  'auth 6': {
    about: "another person's user id",
    proof: {
      account: 'an assistant can read and change only the account of its own person',
      conformance: 'a call for a resource of another person is refused with an error message',
    },
  },
  'auth 7': {
    about: 'the person disconnects assistants',
    proof: {
      webSettings: 'the person can see and disconnect every connected assistant',
      billing: extraUse,
    },
  },
  'auth 8': { about: 'public routes', proof: { conformance: 'a valid call gets an answer that matches the contract' } },
  'event 782136ab': { about: 'no calls to assistants', duty: 'There is nothing in the service that calls out.' },
  'event b0aa649d': {
    about: 'notifications',
    proof: {
      account: 'notifications are marked as read one by one, but as viewed all together',
      transitions: 'a listing can be bought until its quantity is used up',
    },
  },
  'event dc27afe0': {
    about: 'preferences',
    proof: { account: 'a change to preferences leaves the other fields unchanged' },
  },
  'event 41838bb7': { about: 'inbound routes', proof: { conformance: 'routes that are not for assistants' } },
  'event 1e56f5e1': {
    about: 'mails about extras',
    proof: {
      billing: [onOff, approvals],
      limits: 'a missing confirmation e-mail is sent when extras are turned on again',
    },
  },
  'status 400': {
    about: 'not right',
    proof: {
      conformance: 'an invalid input is refused with 400 and an error message',
      generate: 'at most five listings are generated at a time',
    },
  },
  'status 401': { about: 'no key', proof: { conformance: keyed } },
  'status 403': {
    about: 'not yours',
    proof: { conformance: ['a call for a resource of another person is refused with an error message', keyed] },
  },
  'status 404': {
    about: 'not there',
    proof: {
      drafts: [
        'a request with the idempotency key of a deleted listing gets 404',
        'a call for a listing of another person is refused with 403',
      ],
    },
  },
  'status 409': {
    about: 'not in this state',
    proof: { transitions: moves, generate: 'parallel generate calls for one listing use the allowance only once' },
  },
  'status 429': {
    about: 'too many',
    proof: {
      limits: budget,
      signIn: 'an address gets at most five codes an hour',
      causes: 'an assistant that calls too often gets 429 without affecting other assistants',
    },
  },
  'status 5xx': {
    about: 'a fault',
    proof: {
      faults: 'a simulated fault affects only the configured number of calls',
      access: 'a call without input never causes a server error',
    },
  },
};
