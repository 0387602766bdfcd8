import * as z from 'zod';
import type { TextName, Message } from '../../../i18n/message.ts';
import { messageShape } from '../../base/messages.ts';
import type { PhotoEdits, BarcodeFormat } from '../../../photoContract/messages.ts';
import type { PhotoWarning } from '../../../photoContract/constants.ts';

/**
 * The steps of an item in order. In `arranging` it waits for the person to review guessed groups; in `line` it waits
 * for one of the five places for generating.
 */
export const steps = ['photos', 'arranging', 'draft', 'upload', 'line', 'writing', 'review', 'live', 'ended'] as const;
export type Step = (typeof steps)[number];

/** The steps in which photos can be arranged, as long as none has an upload slot. */
export const arrangeableSteps = ['photos', 'arranging', 'draft', 'upload'] as const satisfies readonly Step[];

/** The sections of the list in order: waiting for review, running, checked, and live or ended. */
export const sections = ['toCheck', 'working', 'ready', 'live'] as const;
export type Section = (typeof sections)[number];

/**
 * The value of `guessed` for an item whose photos are replaced or added. Nothing is generated until the person starts
 * it.
 */
export const replacingPhotos = 3;
/**
 * Why an item waits for review: its grouping was guessed, the person wants to check it, the plan does not allow all its
 * photos, or most of them are unusable.
 */
export const reviewReasons = ['person', 'over_cap', 'unusable'] as const;
export type ReviewReason = 'guess' | (typeof reviewReasons)[number];

/** The actions that a stopped item offers to the person. */
export const nextSteps = [
  'retry',
  'resume',
  'change_photos',
  'write_again',
  'connect',
  'no_template',
  'without_photos',
  'remove',
] as const;
export type NextStep = (typeof nextSteps)[number];

/** Why an item stopped: something failed, or the person cancelled it. */
export type ItemError = {
  kind: 'failed' | 'cancelled';
  code: string;
  sentence: string;
  says?: Message | undefined;
  next: NextStep[];
};

export type PhotoState = 'waiting' | 'ready' | 'refused' | 'aside';

/** Why a photo is set aside: by the person, as a duplicate, or beyond the plan's limit. */
export type AsideReason = 'person' | 'duplicate' | 'over_cap';

/**
 * A local photo as the window shows it. URLs are paths on the window's own origin. The first `ready` photo is the main
 * photo.
 */
export type PhotoView = {
  photoId: string;
  name: string;
  state: PhotoState;
  /** Why the photo is refused, set aside or unreadable at the moment. */
  sentence: string | null;
  says?: Message | undefined;
  aside: AsideReason | null;
  /** The photo of the same item that it duplicates. */
  duplicateOf: string | null;
  /** Hints to show before the upload; they never refuse a photo. */
  warnings: { code: PhotoWarning; sentence: string }[];
  /** The camera's time of the shot, in ms since 1970. */
  takenAt: number | null;
  edits: PhotoEdits;
  thumbUrl: string | null;
  fullUrl: string | null;
  width: number | null;
  height: number | null;
  uploaded: boolean;
};

/** A barcode read from a photo, offered as the product's identifier until the person accepts or dismisses it. */
export type BarcodeView = {
  value: string;
  format: BarcodeFormat;
  photoId: string;
  state: 'offered' | 'confirmed' | 'dismissed';
};

/** An item as the window and assistants see it. Times are ms since 1970. */
export type ItemView = {
  itemId: string;
  /** The name of the folder or of the first photo. */
  name: string;
  /** The title of the listing once it is generated. */
  title: string | null;
  step: Step;
  stop: ItemError | null;
  /** The state as text: "Uploading, 2 of 5 photos". */
  words: string;
  says?: Message | undefined;
  /** The progress of the current step: photos prepared or uploaded. */
  progress: { done: number; total: number } | null;
  /** The bytes of the current upload sent so far. */
  sent: { bytes: number; total: number } | null;
  photos: PhotoView[];
  /** Photos that the person removed; they can be restored. */
  removedPhotos: PhotoView[];
  /** The number of photos beyond the plan's limit. */
  overCap: number;
  /** True while it waits for review: nothing is sent before the person starts it. */
  guessed: boolean;
  /**
   * True while its photos are replaced, or added to an existing listing: nothing is sent before the person starts the
   * generation.
   */
  changingPhotos: boolean;
  /** Why it waits for review; otherwise null. */
  hold: ReviewReason | null;
  /** Whether it is running and can still be deferred. */
  holdable: boolean;
  /** Whether its photos can still be arranged and edited. */
  arrangeable: boolean;
  /** Whether the person has checked the listing. An edit by an assistant or a new generation clears it. */
  checked: boolean;
  barcodes: BarcodeView[];
  listingId: string | null;
  /** The person's note, used as context for the generation; defaults to the folder's name. */
  note: string;
  /** Whether the note can still be changed: until the draft was sent. */
  noteOpen: boolean;
  /** A text file beside the photos; used only if the person ticked it. */
  text: { name: string; text: string; used: boolean } | null;
  quantity: number;
  /**
   * Its template. Null means none; a missing id leaves the choice to the service. Can be changed until the draft was
   * sent.
   */
  template: { templateId?: string | null | undefined; mayChange: boolean };
  by: string;
  createdAt: number;
  updatedAt: number;
};

/** The text key of a change of arrangement. */
export type ChangeName = TextName<'changes'>;

/** The last change of arrangement, which `undo` reverts. */
export type LastChange = { label: string; says?: Message | undefined; at: number };

/** An item in a list: a single thumbnail URL instead of its photos. */
export type ItemSummary = Pick<
  ItemView,
  | 'itemId'
  | 'name'
  | 'title'
  | 'step'
  | 'stop'
  | 'words'
  | 'says'
  | 'progress'
  | 'guessed'
  | 'arrangeable'
  | 'checked'
  | 'listingId'
> & {
  thumbUrl: string | null;
  section: Section;
  /** The number of photos that go to the listing. */
  photoCount: number;
  /** The number of problems that block the publish; before the generation, the number of photos with hints. */
  warningCount: number;
  /** In minor units, with the site that determines the currency. */
  price: { cents: number; site: string | null } | null;
};

/** One page of items, with the total number and the number in each section, including folded ones. */
export type ItemPage = { total: number; sections: Record<Section, number>; rows: ItemSummary[] };

/**
 * A photo on the contact sheet. `gap` is the gap before it (null for the first photo): the time between the two shots,
 * null if unknown, and whether the grouping there needs a review.
 */
export type ContactSheetPhoto = Pick<PhotoView, 'photoId' | 'name' | 'thumbUrl' | 'edits'> & {
  gap: { pauseMs: number | null; isUnsure: boolean } | null;
};

/** An item on the contact sheet. While its photos are being prepared it may still be split. */
export type ContactSheetRow = Pick<ItemView, 'itemId' | 'name'> & { isPreparing: boolean; photos: ContactSheetPhoto[] };

/** Guessed items, in the order of their shots. */
export type ContactSheet = { rows: ContactSheetRow[] };

/**
 * The number of items, of those waiting for the person, of guessed ones among them, and of running ones; `done` is
 * their progress, 0 to 1.
 */
export type ItemCounts = { all: number; toCheck: number; guessed: number; running: number; done: number };

/** The number of publishable items, the first of them, and the first checked ones. */
export type ReadyItems = { total: number; itemIds: string[]; checked: string[] };

/** The possible actions for selected items; items that no longer exist are left out. */
export type ChosenItems = {
  ready: { itemId: string; listingId: string }[];
  /** `hidden`: the current search excludes it. */
  arrangeable: { itemId: string; guessed: boolean; hidden: boolean }[];
};

/** An item and the number of items before it in the list; null when the list excludes it. */
export type ItemPlace = { itemId: string; at: number | null };

/** Items that settled since a mark, the latest last: in review, live, ended or stopped. Limited to the latest few. */
export type SettledItems = { mark: string; items: ItemSummary[] };

/** The stored form of ItemError. */
export const itemErrorShape: z.ZodType<ItemError> = z.object({
  kind: z.enum(['failed', 'cancelled']),
  code: z.string(),
  sentence: z.string(),
  says: messageShape.optional(),
  next: z.array(z.enum(nextSteps)),
});
