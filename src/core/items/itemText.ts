import { saying, type Saying } from '../../words/saying.ts';
import type { Step, Stop } from '../storage/tables/itemRecord.ts';

/** Why a step is tried again later: the service or the way to it, or what the disk says. */
export type Trouble = 'service' | Saying;

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
export const itemWords = (facts: Facts): Saying => {
  if (facts.stop) return saying(facts.stop.kind === 'cancelled' ? 'items.cancelled' : 'items.failed');
  const state = going[facts.step](facts);
  if (facts.trouble === null) return state;
  return facts.trouble === 'service' ? saying('items.waiting', { state }) : facts.trouble;
};

const going: Record<Step, (facts: Facts) => Saying> = {
  photos: ({ ready, photos }) => saying('items.preparing', { done: ready, total: photos }),
  arranging: () => saying('items.toBeLookedAt'),
  draft: () => saying('items.drafting'),
  upload: ({ uploaded, ready }) => saying('items.uploading', { done: uploaded, count: ready }),
  line: ({ placeInLine }) =>
    placeInLine === null ? saying('items.inLine') : saying('items.inLineAt', { place: placeInLine }),
  writing: ({ long }) => saying(long ? 'items.writingLong' : 'items.writing'),
  review: () => saying('items.toReview'),
  live: () => saying('items.live'),
  ended: () => saying('items.ended'),
};
