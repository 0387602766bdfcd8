import {
  allowanceStopCodes,
  arrangeableSteps,
  type Step,
  type ItemError,
  type NextStep,
} from '../storage/tables/itemRecord.ts';
import type { ItemRow, PhotoRow } from '../storage/tables/itemsTable.ts';
import { createMessage, type Message, type TextName } from '../../i18n/message.ts';
import { formatEnglishMessage } from '../../i18n/english.ts';
import { isTransientError, isUnknownAtService } from '../service/serviceError.ts';
import { findDiskProblem, Problem, toProblemView } from '../base/problem.ts';

/** Why a step is being retried. `service`: the service cannot be reached. A message: the text of a disk problem. */
export type Trouble = 'service' | Message;

type ItemTextFacts = {
  step: Step;
  stop: ItemError | null;
  ready: number;
  photos: number;
  uploaded: number;
  placeInLine: number | null;
  trouble: Trouble | null;
  long: boolean;
};

const getStoppedTextKey = ({ kind, code }: ItemError) => {
  if (code === unknownListingCode) return 'items.notAtService';
  if (code === unreadableCode) return 'items.waitingForPhotos';
  if (kind === 'cancelled') return 'items.cancelled';
  return allowanceStopCodes.has(code) ? 'items.allowanceUsed' : 'items.failed';
};

/** Returns the state of an item as a short text. */
export const formatItemState = (facts: ItemTextFacts): Message => {
  if (facts.stop) return createMessage(getStoppedTextKey(facts.stop));
  const state = stateTexts[facts.step](facts);
  if (facts.trouble === null) return state;
  return facts.trouble === 'service' ? createMessage('items.waiting', { state }) : facts.trouble;
};

const stateTexts: Record<Step, (facts: ItemTextFacts) => Message> = {
  photos: ({ ready, photos }) => createMessage('items.preparing', { done: ready, total: photos }),
  arranging: () => createMessage('items.toBeLookedAt'),
  draft: () => createMessage('items.drafting'),
  upload: ({ uploaded, ready }) => createMessage('items.uploading', { done: uploaded, count: ready }),
  line: ({ placeInLine }) =>
    placeInLine === null ? createMessage('items.inLine') : createMessage('items.inLineAt', { place: placeInLine }),
  writing: ({ long }) => createMessage(long ? 'items.writingLong' : 'items.writing'),
  review: () => createMessage('items.toReview'),
  live: () => createMessage('items.live'),
  ended: () => createMessage('items.ended'),
};

export const unreadableCode = 'PHOTOS_AWAY';

/** An item with this code continues when the service knows its listing again. */
export const unknownListingCode = 'NOT_AT_SERVICE';

class ItemProblem extends Problem {
  readonly next: NextStep[];
  constructor(code: string, sentence: string, next: NextStep[], says?: Message) {
    super(code, sentence, { says });
    this.next = next;
  }
}

type ItemErrorCode = Exclude<TextName<'stops'>, `${typeof unreadableCode}${string}`>;
const nextStepsByCode: Record<ItemErrorCode, NextStep[]> = {
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
const isItemErrorCode = (code: string): code is ItemErrorCode => Object.hasOwn(nextStepsByCode, code);

/** Creates the problem for a stop code. A sentence from the service is used instead of the text for the code. */
export const createItemProblem = (code: string, sentence?: string | null): Problem => {
  const known = isItemErrorCode(code) ? code : 'WRITING_FAILED';
  const says = createMessage(`stops.${known}`);
  return sentence
    ? new ItemProblem(code, sentence, nextStepsByCode[known])
    : new ItemProblem(code, formatEnglishMessage(says), nextStepsByCode[known], says);
};

/** Creates the problem for unreadable photos. `hasOthers` is true if the item also has readable photos. */
export const createUnreadableProblem = (photos: readonly { name: string }[], hasOthers: boolean): Problem => {
  const values = { count: photos.length, name: photos[0]?.name ?? '' };
  const says = hasOthers ? createMessage('stops.PHOTOS_AWAY', values) : createMessage('stops.PHOTOS_AWAY.all', values);
  const next: NextStep[] = hasOthers ? ['retry', 'without_photos', 'remove'] : ['retry', 'remove'];
  return new ItemProblem(unreadableCode, formatEnglishMessage(says), next, says);
};

/** Creates the stop of an item that the person cancelled or whose listing was deleted. */
export const createCancelledStop = (why: 'CANCELLED' | 'CANCELLED.writing' | 'DELETED'): ItemError => {
  const says = createMessage(`stops.${why}`);
  return {
    kind: 'cancelled',
    code: why.split('.')[0] ?? why,
    sentence: formatEnglishMessage(says),
    says,
    next: nextStepsByCode[why],
  };
};

/** Returns why the step must be retried; null if the error is permanent. */
export const findItemTrouble = (error: unknown): Trouble | null =>
  isTransientError(error) ? 'service' : (findDiskProblem(error)?.says ?? null);

/** Returns the stop that a permanent error causes. */
export const toItemError = (error: unknown, listingId: string | null): ItemError => {
  if (listingId !== null && isUnknownAtService(error)) return toItemError(createItemProblem(unknownListingCode), null);
  if (error instanceof ItemProblem)
    return { kind: 'failed', code: error.code, sentence: error.message, says: error.says, next: error.next };
  const { code, sentence, says } = toProblemView(error);
  const connect = code === 'RECONNECT_NEEDED' || code === 'NOT_CONNECTED';
  return { kind: 'failed', code, sentence, says, next: connect ? ['connect', 'retry'] : ['retry', 'remove'] };
};

type ItemProgress = { step: Step; stop: ItemError | null };

/** An item with this code was neither generated nor charged, so generating it is its first generation. */
export const usageLimitCode = 'USAGE_LIMIT';

/** Returns whether a stopped item continues by a retry alone, so that its asker may resume it. */
export const isRetriable = ({ stop }: Pick<ItemProgress, 'stop'>): boolean =>
  stop !== null && (stop.code === usageLimitCode || (stop.next.includes('retry') && stop.code !== unknownListingCode));

/** Returns whether the work on the photos of an item has ended for good. */
export const isSettled = (item: ItemProgress): boolean =>
  item.stop === null ? ['review', 'live', 'ended'].includes(item.step) : !isRetriable(item);

/** Returns whether the item stopped because of its photos. Such an item continues when its photos change. */
export const isPhotoStop = (stop: ItemError | null): boolean =>
  stop?.code === 'NO_PHOTOS' || stop?.code === unreadableCode;

/** Returns the URL of a thumbnail. The URL contains the hash of the photo, because windows cache pictures by URL. */
export const buildThumbnailUrl = (photoId: string, sha256: string | null): string =>
  `/photos/${photoId}/thumb?${sha256?.slice(0, 12) ?? 'thumbnail'}`;

/** Returns whether photos of the item can still be moved or edited. They cannot once one of them has an upload slot. */
export const isArrangeable = (item: ItemRow, photos: readonly PhotoRow[]): boolean =>
  arrangeableSteps.includes(item.step) &&
  photos.every(({ slot, uploaded_at }) => slot === null && uploaded_at === null);
