import { type TextName, message, type Message } from '../../i18n/message.ts';
import { formatEnglish } from '../../i18n/english.ts';
import { isPassing } from '../service/serviceError.ts';
import { diskProblem, Problem, problemView } from '../base/problem.ts';
import type { NextStep, Stop } from '../storage/tables/itemRecord.ts';
import type { Trouble } from './itemText.ts';

/** A reason to stand still that the person can do something about. */
class Standstill extends Problem {
  readonly next: NextStep[];
  constructor(code: string, sentence: string, next: NextStep[], says?: Message) {
    super(code, sentence, { says });
    this.next = next;
  }
}

type StopCode = TextName<'stops'>;
const nextSteps: Record<StopCode, NextStep[]> = {
  CANCELLED: ['resume', 'remove'],
  'CANCELLED.writing': ['resume', 'remove'],
  DELETED: ['remove'],
  NO_PHOTOS: ['remove'],
  DRAFT_UNKNOWN: ['remove'],
  ALLOWANCE_USED: ['retry', 'remove'],
  WOULD_BE_EXTRA: ['retry', 'remove'],
  USAGE_LIMIT: ['write_again', 'remove'],
  IMAGES_UNREADABLE: ['write_again', 'remove'],
  WRITING_FAILED: ['write_again', 'remove'],
  ASKED_AGAIN: ['write_again', 'remove'],
};
const isStopCode = (code: string): code is StopCode => Object.hasOwn(nextSteps, code);

/** The standstill of that code. A sentence of the service goes before ours. */
export const stopFor = (code: string, sentence?: string | null): Problem => {
  const known = isStopCode(code) ? code : 'WRITING_FAILED';
  const says = message(`stops.${known}`);
  return sentence
    ? new Standstill(code, sentence, nextSteps[known])
    : new Standstill(code, formatEnglish(says), nextSteps[known], says);
};

/** The stop of an item that the person stopped, or whose listing they deleted. */
export const stopped = (why: 'CANCELLED' | 'CANCELLED.writing' | 'DELETED'): Stop => {
  const says = message(`stops.${why}`);
  return {
    kind: 'cancelled',
    code: why.split('.')[0] ?? why,
    sentence: formatEnglish(says),
    says,
    next: nextSteps[why],
  };
};

/** What an error is that passes without a word to the item: the step is simply tried again. Null for any other. */
export const troubleOf = (error: unknown): Trouble | null =>
  isPassing(error) ? 'service' : (diskProblem(error)?.says ?? null);

/** How an error that does not pass stops an item. */
export const stopOf = (error: unknown): Stop => {
  if (error instanceof Standstill)
    return { kind: 'failed', code: error.code, sentence: error.message, says: error.says, next: error.next };
  const { code, sentence, says } = problemView(error);
  const connect = code === 'RECONNECT_NEEDED' || code === 'NOT_CONNECTED';
  return { kind: 'failed', code, sentence, says, next: connect ? ['connect', 'retry'] : ['retry', 'remove'] };
};
