import * as z from 'zod';
import type { TextName, Message } from '../../../i18n/message.ts';
import { messageShape } from '../../base/messages.ts';
import type { PhotoEdits, BarcodeFormat } from '../../../photoContract/messages.ts';
import type { PhotoWarning } from '../../../photoContract/constants.ts';

/**
 * The steps of an item in order. In `arranging` it waits for the person to start it; in `line` it waits
 * for one of the five places for generating.
 */
export const steps = ['photos', 'arranging', 'draft', 'upload', 'line', 'writing', 'review', 'live', 'ended'] as const;
export type Step = (typeof steps)[number];

/** The steps in which photos can be arranged, as long as none has an upload slot. */
export const arrangeableSteps = ['photos', 'arranging', 'draft', 'upload'] as const satisfies readonly Step[];

/** The sections of the list in order: waiting for review, running, checked, and live or ended. */
export const sections = ['toCheck', 'working', 'ready', 'live'] as const;
export type Section = (typeof sections)[number];

/** Why an item is deferred, so that nothing is sent before the person starts it. */
export const reviewReasons = [
  /** Its photos were grouped by a guess. It may still be split automatically. */
  'grouped',
  /** Its photos were grouped by a guess and then arranged by the person. It is never split automatically. */
  'arranged',
  /** The person wants to check it first. */
  'requested',
  /** The plan does not allow all its photos. */
  'overCap',
  /** Most of its photos are unusable and would waste a listing. */
  'unusable',
  /** Its photos are being replaced, or added to an existing listing. */
  'replacingPhotos',
] as const;
export type ReviewReason = (typeof reviewReasons)[number];
/** The stored reason: `reviewed` once the person has started the item, which is then not deferred again on its own. */
export const storedReviewReasons = [...reviewReasons, 'reviewed'] as const;
export type StoredReviewReason = (typeof storedReviewReasons)[number];
/** Returns why an item is deferred; null if it is not. */
export const readReviewReason = (stored: StoredReviewReason | null): ReviewReason | null =>
  stored === 'reviewed' ? null : stored;

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

/** The stop codes that end when the allowance has listings again. */
export const allowanceStopCodes: ReadonlySet<string> = new Set(['ALLOWANCE_USED', 'WOULD_BE_EXTRA', 'USAGE_LIMIT']);

/** What decides in which section of the list an item stands. */
export type SectionFacts = {
  step: Step;
  stop: Pick<ItemError, 'code'> | null;
  isDeferred: boolean;
  isChecked: boolean;
};

/** Returns the section of the list in which an item stands. Items that wait for the allowance are still running. */
export const chooseSection = ({ step, stop, isDeferred, isChecked }: SectionFacts): Section => {
  if (step === 'live' || step === 'ended') return 'live';
  if (stop !== null) return allowanceStopCodes.has(stop.code) ? 'working' : 'toCheck';
  if (step === 'review') return isChecked ? 'ready' : 'toCheck';
  return isDeferred ? 'toCheck' : 'working';
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

/** The fields that the person may change until the draft was sent. They are stored and shown under the same names. */
export const itemFields = z.object({
  /** The person's note, used as context for the generation; defaults to the folder's name. */
  note: z.string(),
});
export type ItemFields = z.infer<typeof itemFields>;

/** An item as the window and assistants see it. Times are ms since 1970. */
export type ItemView = ItemFields & {
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
  /** Why it is deferred; null if it is not. */
  reviewReason: ReviewReason | null;
  /** Whether it is running and can still be deferred. */
  deferrable: boolean;
  /** Whether its photos can still be arranged and edited. */
  arrangeable: boolean;
  /** Whether the person has checked the listing. An edit by an assistant or a new generation clears it. */
  checked: boolean;
  barcodes: BarcodeView[];
  listingId: string | null;
  /** Whether its fields can still be changed: until the draft was sent. */
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
  | 'reviewReason'
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

/** Deferred items, in the order of their shots. */
export type ContactSheet = { rows: ContactSheetRow[] };

/**
 * The number of items, of those waiting for the person, of deferred ones among them except those whose photos are being
 * replaced, and of running ones; `done` is their progress, 0 to 1.
 */
export type ItemCounts = { all: number; toCheck: number; deferred: number; running: number; done: number };

/** The number of publishable items, the first of them, and the first checked ones. */
export type ReadyItems = { total: number; itemIds: string[]; checked: string[] };

/** The possible actions for selected items; items that no longer exist are left out. */
export type ChosenItems = {
  ready: { itemId: string; listingId: string }[];
  /** `hidden`: the current search excludes it. */
  arrangeable: { itemId: string; deferred: boolean; hidden: boolean }[];
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
