import type { Step, Stop } from '../storage/tables/itemRecord.ts';
import { message, type Message } from '../../i18n/message.ts';

/** Why a step is tried again later: the service or the way to it, or what the disk says. */
export type Trouble = 'service' | Message;

type Facts = {
  step: Step;
  stop: Stop | null;
  ready: number;
  photos: number;
  uploaded: number;
  placeInLine: number | null;
  trouble: Trouble | null;
  long: boolean;
};

/** The state of an item in a few words, the same for every screen and every assistant. */
export const itemText = (facts: Facts): Message => {
  if (facts.stop) return message(facts.stop.kind === 'cancelled' ? 'items.cancelled' : 'items.failed');
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
