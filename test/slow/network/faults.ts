/** The result of a call that meets a fault, for its caller. */
export type Result =
  /** The call succeeds. */
  | 'answered'
  /** Nothing was sent. */
  | 'unreached'
  /** The call may have taken effect; a retry can help. */
  | 'unclear'
  /** The call may have taken effect, and the service asked not to retry soon. */
  | 'unclear for long'
  /** The request was accepted, and the answer is invalid. */
  | 'strange'
  /** The service refused the call, and nothing happened. */
  | 'refused'
  /** The service refused the call as it refuses an invalid key. */
  | 'forbidden';

/** One fault: the order to the practice service, and what is expected of it. */
export type Fault = {
  /** The order to the practice service; null if no server listens. */
  order: Record<string, unknown> | null;
  result: Result;
  /** Whether the call takes effect despite the fault. */
  works: boolean;
  /** What the person is told, if it differs from other faults with this result. */
  says?: { code: string; sentence: string; retryAfterS?: number };
  /** How far the clocks of the companion, and then of the service, must run after the call arrives. */
  runs?: { companionMs: number; practiceMs?: number };
};

/** A proxy's page that repeats the request; KEY stands for the key of the connected person. */
const page = '<html><body>Bad gateway. You sent: Authorization: Bearer KEY</body></html>';
const fault = { code: 'SERVICE_FAULT', sentence: 'The service has a problem right now. Please try again in a moment.' };
const slowDown = { code: 'TOO_MANY_REQUESTS', sentence: 'Too many.' };
const strange = {
  code: 'UNEXPECTED_ANSWER',
  sentence: 'The service answered in a way this version of the companion does not understand.',
};
const unanswered = { result: 'unclear', works: false } as const;
const minuteMs = 60_000;
/** A minute of silence, and 15 seconds until it is noticed. */
const silence = { companionMs: minuteMs + 15_000 };

export const unheardOf = { of: ['before', 1] };

export const faults = {
  refused: { order: null, result: 'unreached', works: false },
  reset: { order: { drop: 'before' }, ...unanswered },
  timeout: { order: { silent: 'before' }, ...unanswered, runs: silence },
  'timeout after success': { order: { silent: 'after' }, ...unanswered, works: true, runs: silence },
  slow: {
    order: { delayMs: 10 * minuteMs },
    result: 'answered',
    works: true,
    runs: { companionMs: 45_000, practiceMs: 10 * minuteMs },
  },
  'truncated response': { order: { drop: 'half' }, ...unanswered, works: true },
  'lost response': { order: { drop: 'after' }, ...unanswered, works: true },
  '500 with a message': {
    order: { status: 500, error: 'Broken.' },
    ...unanswered,
    says: { ...fault, sentence: 'Broken.' },
  },
  '502 with an HTML page': { order: { status: 502, text: page }, ...unanswered, says: fault },
  '502 after success': {
    order: { status: 502, text: page, done: true },
    ...unanswered,
    works: true,
    says: fault,
  },
  '503 with Retry-After': {
    order: { status: 503, text: page, headers: { 'retry-after': '120' } },
    result: 'unclear for long',
    works: false,
    says: { ...fault, retryAfterS: 120 },
  },
  '503 with a short Retry-After': {
    order: { status: 503, text: page, headers: { 'retry-after': '3' } },
    ...unanswered,
    says: { ...fault, retryAfterS: 3 },
  },
  '429 without Retry-After': {
    order: { status: 429, error: 'Too many.' },
    result: 'refused',
    works: false,
    says: slowDown,
  },
  '429 with Retry-After': {
    order: { status: 429, error: 'Too many.', headers: { 'retry-after': '30' } },
    result: 'refused',
    works: false,
    says: { ...slowDown, retryAfterS: 30 },
  },
  '403 with an HTML page': {
    order: { status: 403, text: page },
    result: 'refused',
    works: false,
    says: { code: 'REFUSED', sentence: 'The service refused the request.' },
  },
  'bare 403': { order: { status: 403, text: '{"message":"Forbidden"}' }, result: 'forbidden', works: false },
  'malformed JSON': { order: { text: '{"listingId": "l_1", ' }, result: 'strange', works: true, says: strange },
  'unknown fields': { order: { body: { unheardOf } }, result: 'answered', works: true },
  'huge body': {
    order: { padBytes: 17 * 1024 * 1024 },
    result: 'strange',
    works: true,
    says: { ...strange, sentence: 'The service’s answer was too large for the companion.' },
  },
} as const satisfies Record<string, Fault>;

export type FaultName = keyof typeof faults;
export const faultNames = Object.keys(faults) as FaultName[];
