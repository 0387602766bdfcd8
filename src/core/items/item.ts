import type { BarcodeFormat } from '../photos/barcodes.ts';
import type { TextName, Message } from '../../i18n/message.ts';
import type { PhotoEdits } from '../photos/edits.ts';
import type { PhotoWarning } from '../photos/warnings.ts';

/**
 * The steps of an item's way, in order. `arranging` is waiting for the person to look at photos that were put together by
 * a guess; `line` is waiting for one of the five places to be written.
 */
export const steps = ['photos', 'arranging', 'draft', 'upload', 'line', 'writing', 'review', 'live', 'ended'] as const;
export type Step = (typeof steps)[number];

/** What a person can do about an item that stands still. */
export type NextStep = 'retry' | 'resume' | 'write_again' | 'connect' | 'remove';

/** Why an item stands still: something failed, or the person stopped it. */
export type Stop = {
  kind: 'failed' | 'cancelled';
  code: string;
  sentence: string;
  says?: Message | undefined;
  next: NextStep[];
};

export type PhotoState = 'waiting' | 'ready' | 'refused' | 'aside';

/** Why a photo is set aside: by the person, as a copy of another, or beyond the plan's number. */
export type AsideWhy = 'person' | 'duplicate' | 'over_cap';

/** A local photo as the window shows it. Addresses are paths below the window's own origin; the first `ready` one is the main photo. */
export type PhotoView = {
  photoId: string;
  name: string;
  state: PhotoState;
  /** Why it is refused or set aside. */
  sentence: string | null;
  says?: Message | undefined;
  aside: AsideWhy | null;
  /** The photo of the same item that it is a copy of. */
  duplicateOf: string | null;
  /** What is worth a word before it is uploaded; never a reason to refuse it. */
  warnings: { code: PhotoWarning; sentence: string }[];
  /** When the camera says it was taken, in ms since 1970. */
  takenAt: number | null;
  edits: PhotoEdits;
  thumbUrl: string | null;
  fullUrl: string | null;
  width: number | null;
  height: number | null;
  uploaded: boolean;
};

/** A barcode that was read on a photo: offered as the product's identifier until the person says yes or no to it. */
export type BarcodeView = {
  value: string;
  format: BarcodeFormat;
  photoId: string;
  state: 'offered' | 'confirmed' | 'dismissed';
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
  says?: Message | undefined;
  /** Of the current step: photos prepared or uploaded. */
  progress: { done: number; total: number } | null;
  /** Of an upload: bytes that have left this machine. */
  sent: { bytes: number; total: number } | null;
  photos: PhotoView[];
  /** Photos the person took out; they can be put back. */
  removedPhotos: PhotoView[];
  /** How many photos stay here because the plan takes no more. */
  overCap: number;
  /** Its photos were put together by a guess: nothing is sent before the person begins it. */
  guessed: boolean;
  /** Whether its photos can still be arranged and edited. */
  arrangeable: boolean;
  barcodes: BarcodeView[];
  listingId: string | null;
  note: string;
  quantity: number;
  by: string;
  createdAt: number;
  updatedAt: number;
};

/** How a change of the photos' arrangement is named. */
export type ChangeName = TextName<'changes'>;

/** The last change of the photos' arrangement, which `undo` takes back. */
export type LastChange = { label: string; says?: Message | undefined; at: number };

/** Items that changed since a mark; `itemIds` are all items in the order of the list. */
export type ItemChanges = { mark: string; itemIds: string[]; changed: ItemView[] };
