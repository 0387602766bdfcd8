import type { Step, Stop } from './item.ts';

type Facts = {
  step: Step;
  stop: Stop | null;
  ready: number;
  photos: number;
  uploaded: number;
  placeInLine: number | null;
  trouble: string | null;
  long: boolean;
};

const photos = (count: number): string => `${count} ${count === 1 ? 'photo' : 'photos'}`;

/** The state of an item in a few words, the same for every screen and every assistant. */
export const itemWords = (facts: Facts): string => {
  if (facts.stop) return facts.stop.kind === 'cancelled' ? 'Cancelled' : 'Failed';
  const words = going[facts.step](facts);
  return facts.trouble === null ? words : `${words}, waiting for the service`;
};

const going: Record<Step, (facts: Facts) => string> = {
  photos: ({ ready, photos: all }) => `Preparing photos, ${ready} of ${all}`,
  arranging: () => 'Ready to be looked at',
  draft: () => 'Starting a draft',
  upload: ({ uploaded, ready }) => `Uploading, ${uploaded} of ${photos(ready)}`,
  line: ({ placeInLine }) =>
    placeInLine === null ? 'Waiting to be written' : `Waiting to be written, ${placeInLine} in line`,
  writing: ({ long }) => (long ? 'Being written, longer than usual' : 'Being written'),
  review: () => 'Ready to review',
  live: () => 'Live',
  ended: () => 'Ended',
};
