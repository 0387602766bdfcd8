/** The steps of an item's way, in order. `line` is waiting for one of the five places to be written. */
export const steps = ['photos', 'draft', 'upload', 'line', 'writing', 'review', 'live', 'ended'] as const;
export type Step = (typeof steps)[number];

/** What a person can do about an item that stands still. */
export type NextStep = 'retry' | 'resume' | 'write_again' | 'connect' | 'remove';

/** Why an item stands still: something failed, or the person stopped it. */
export type Stop = { kind: 'failed' | 'cancelled'; code: string; sentence: string; next: NextStep[] };

export type PhotoState = 'waiting' | 'ready' | 'refused' | 'aside';

/** A local photo as the window shows it. Addresses are paths below the window's own origin. */
export type PhotoView = {
  photoId: string;
  name: string;
  state: PhotoState;
  /** Why it is refused or set aside. */
  sentence: string | null;
  thumbUrl: string | null;
  fullUrl: string | null;
  width: number | null;
  height: number | null;
  uploaded: boolean;
};

/** An item as the window and assistants see it. Times are ms since 1970. */
export type ItemView = {
  itemId: string;
  /** The folder's or first photo's name. */
  name: string;
  /** The listing's title once it is written. */
  title: string | null;
  step: Step;
  stop: Stop | null;
  /** The state in words: "Uploading, 2 of 5 photos". */
  words: string;
  /** Of the current step: photos prepared or uploaded. */
  progress: { done: number; total: number } | null;
  photos: PhotoView[];
  listingId: string | null;
  note: string;
  quantity: number;
  by: string;
  createdAt: number;
  updatedAt: number;
};
