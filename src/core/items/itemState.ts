import type { Step, ItemError, NextStep } from '../storage/tables/itemRecord.ts';
import { message, type Message, type TextName } from '../../i18n/message.ts';
import { formatEnglish } from '../../i18n/english.ts';
import { isTransient, isUnknownAtService } from '../service/serviceError.ts';
import { diskProblem, Problem, problemView } from '../base/problem.ts';

/** Why a step is tried again later: the service or the way to it, or what the disk says. */
export type Trouble = 'service' | Message;

type Facts = {
  step: Step;
  stop: ItemError | null;
  ready: number;
  photos: number;
  uploaded: number;
  placeInLine: number | null;
  trouble: Trouble | null;
  long: boolean;
};

/** What stands still only until there are listings again. */
const forAllowance = new Set(['ALLOWANCE_USED', 'WOULD_BE_EXTRA', 'USAGE_LIMIT']);

const stoppedText = ({ kind, code }: ItemError) => {
  if (code === unknownListingCode) return 'items.notAtService';
  if (code === unreadableCode) return 'items.waitingForPhotos';
  if (kind === 'cancelled') return 'items.cancelled';
  return forAllowance.has(code) ? 'items.allowanceUsed' : 'items.failed';
};

/** The state of an item in a few words, the same for every screen and every assistant. */
export const itemText = (facts: Facts): Message => {
  if (facts.stop) return message(stoppedText(facts.stop));
  const state = going[facts.step](facts);
  if (facts.trouble === null) return state;
  return facts.trouble === 'service' ? message('items.waiting', { state }) : facts.trouble;
};

const going: Record<Step, (facts: Facts) => Message> = {
  photos: ({ ready, photos }) => message('items.preparing', { done: ready, total: photos }),
  arranging: () => message('items.toBeLookedAt'),
  draft: () => message('items.drafting'),
  upload: ({ uploaded, ready }) => message('items.uploading', { done: uploaded, count: ready }),
  line: ({ placeInLine }) =>
    placeInLine === null ? message('items.inLine') : message('items.inLineAt', { place: placeInLine }),
  writing: ({ long }) => message(long ? 'items.writingLong' : 'items.writing'),
  review: () => message('items.toReview'),
  live: () => message('items.live'),
  ended: () => message('items.ended'),
};

/** The stop of an item with photos that cannot be read where they lie now. */
export const unreadableCode = 'PHOTOS_AWAY';

/** The stop of an item whose listing the service does not know: it ends by itself once the service knows it again. */
export const unknownListingCode = 'NOT_AT_SERVICE';

/** A reason to stand still that the person can do something about. */
class ItemProblem extends Problem {
  readonly next: NextStep[];
  constructor(code: string, sentence: string, next: NextStep[], says?: Message) {
    super(code, sentence, { says });
    this.next = next;
  }
}

type ItemErrorCode = Exclude<TextName<'stops'>, `${typeof unreadableCode}${string}`>;
const nextSteps: Record<ItemErrorCode, NextStep[]> = {
  CANCELLED: ['resume', 'remove'],
  'CANCELLED.writing': ['resume', 'remove'],
  DELETED: ['remove'],
  NOT_AT_SERVICE: ['retry', 'remove'],
  NO_PHOTOS: ['remove'],
  DRAFT_UNKNOWN: ['remove'],
  TEMPLATE_GONE: ['no_template', 'remove'],
  ALLOWANCE_USED: ['retry', 'remove'],
  WOULD_BE_EXTRA: ['retry', 'remove'],
  USAGE_LIMIT: ['write_again', 'remove'],
  IMAGES_UNREADABLE: ['change_photos', 'write_again', 'remove'],
  WRITING_FAILED: ['write_again', 'remove'],
  ASKED_AGAIN: ['write_again', 'remove'],
};
const isItemErrorCode = (code: string): code is ItemErrorCode => Object.hasOwn(nextSteps, code);

/** The standstill of that code. A sentence of the service goes before ours. */
export const itemErrorFor = (code: string, sentence?: string | null): Problem => {
  const known = isItemErrorCode(code) ? code : 'WRITING_FAILED';
  const says = message(`stops.${known}`);
  return sentence
    ? new ItemProblem(code, sentence, nextSteps[known])
    : new ItemProblem(code, formatEnglish(says), nextSteps[known], says);
};

/**
 * The standstill of an item with photos that cannot be read now, named by the first; `hasOthers`: there are photos to go on
 * with. It ends by itself once they can be read.
 */
export const unreadableError = (photos: readonly { name: string }[], hasOthers: boolean): Problem => {
  const values = { count: photos.length, name: photos[0]?.name ?? '' };
  const says = hasOthers ? message('stops.PHOTOS_AWAY', values) : message('stops.PHOTOS_AWAY.all', values);
  const next: NextStep[] = hasOthers ? ['retry', 'without_photos', 'remove'] : ['retry', 'remove'];
  return new ItemProblem(unreadableCode, formatEnglish(says), next, says);
};

/** The stop of an item that the person stopped, or whose listing they deleted. */
export const cancelledError = (why: 'CANCELLED' | 'CANCELLED.writing' | 'DELETED'): ItemError => {
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
  isTransient(error) ? 'service' : (diskProblem(error)?.says ?? null);

/** How an error that does not pass stops an item. */
export const itemErrorOf = (error: unknown, listingId: string | null): ItemError => {
  if (listingId !== null && isUnknownAtService(error)) return itemErrorOf(itemErrorFor(unknownListingCode), null);
  if (error instanceof ItemProblem)
    return { kind: 'failed', code: error.code, sentence: error.message, says: error.says, next: error.next };
  const { code, sentence, says } = problemView(error);
  const connect = code === 'RECONNECT_NEEDED' || code === 'NOT_CONNECTED';
  return { kind: 'failed', code, sentence, says, next: connect ? ['connect', 'retry'] : ['retry', 'remove'] };
};

/** Whether an item stands still for the photos that it has: with other ones it is tried again. */
export const isAboutPhotos = (stop: ItemError | null): boolean =>
  stop?.code === 'NO_PHOTOS' || stop?.code === unreadableCode;

/** The address of a photo's small picture, for a photo that has one. */
export const thumbUrl = (photoId: string, sha256: string | null): string =>
  `/photos/${photoId}/thumb?${sha256?.slice(0, 12) ?? 'thumbnail'}`;
