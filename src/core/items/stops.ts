import { isPassing } from '../service/serviceError.ts';
import { Problem, problemView } from '../problem.ts';
import type { NextStep, Stop } from './item.ts';

/** A reason to stand still that the person can do something about. */
class Standstill extends Problem {
  readonly next: NextStep[];
  constructor(code: string, sentence: string, next: NextStep[]) {
    super(code, sentence);
    this.next = next;
  }
}

const reasons: Record<string, { sentence: string; next: NextStep[] }> = {
  NO_PHOTOS: {
    sentence: 'None of the photos can be used. See what is said of each, then drop better ones as a new item.',
    next: ['remove'],
  },
  DRAFT_UNKNOWN: {
    sentence:
      'The draft was asked for over a day ago and the answer never came. Look for it in your listings before you drop these photos again.',
    next: ['remove'],
  },
  ALLOWANCE_USED: {
    sentence:
      "This month's listings are used up. Nothing was written. Try again after the reset, or with a larger plan.",
    next: ['retry', 'remove'],
  },
  WOULD_BE_EXTRA: {
    sentence:
      'The next listing would be a paid extra, which needs your yes first. Set some aside under Settings, then try again. Nothing was written.',
    next: ['retry', 'remove'],
  },
  USAGE_LIMIT: {
    sentence: "This month's listings are used up, so this one was not written.",
    next: ['write_again', 'remove'],
  },
  IMAGES_UNREADABLE: {
    sentence: 'The service could not read the photos. Drop sharper ones as a new item.',
    next: ['write_again', 'remove'],
  },
  WRITING_FAILED: { sentence: 'Writing failed at the service.', next: ['write_again', 'remove'] },
  ASKED_AGAIN: {
    sentence: 'Writing it again uses one more listing, so it waits for your yes.',
    next: ['write_again', 'remove'],
  },
};

/** The standstill of that code. A sentence of the service goes before ours. */
export const stopFor = (code: string, sentence?: string | null): Problem => {
  const reason = reasons[code] ?? {
    sentence: 'Writing failed at the service.',
    next: ['write_again', 'remove'] as NextStep[],
  };
  return new Standstill(code, sentence || reason.sentence, reason.next);
};

/** How an error stops an item; null when it passes by itself and the step is simply tried again. */
export const stopOf = (error: unknown): Stop | null => {
  if (error instanceof Standstill)
    return { kind: 'failed', code: error.code, sentence: error.message, next: error.next };
  if (isPassing(error)) return null;
  const { code, sentence } = problemView(error);
  const connect = code === 'RECONNECT_NEEDED' || code === 'NOT_CONNECTED';
  return { kind: 'failed', code, sentence, next: connect ? ['connect', 'retry'] : ['retry', 'remove'] };
};
