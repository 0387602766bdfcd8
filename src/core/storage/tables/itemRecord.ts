import * as z from 'zod';
import type { TextName, Message } from '../../../i18n/message.ts';
import type { ShelfFields } from '../../base/shelfFields.ts';
import { messageShape } from '../../base/messages.ts';
import type { PhotoEdits, BarcodeFormat } from '../../../photoContract/messages.ts';
import type { PhotoWarning } from '../../../photoContract/constants.ts';
import type { PhotoChangeStage } from './photos/photoChangesTable.ts';

/** The steps of an item in order. In `line`, the item waits until fewer than five generations are running. */
export const steps = ['photos', 'arranging', 'draft', 'upload', 'line', 'writing', 'review', 'live', 'ended'] as const;
export type Step = (typeof steps)[number];

export const arrangeableSteps: readonly Step[] = ['photos', 'arranging', 'draft', 'upload'];

export const sections = ['toCheck', 'working', 'ready', 'live'] as const;
export type Section = (typeof sections)[number];

/** Why an item is deferred. No request is sent for a deferred item. */
export const reviewReasons = [
  /** Its photos were grouped automatically and can still be split automatically. */
  'grouped',
  /** The person has arranged its photos, so they are never split automatically. */
  'arranged',
  'requested',
  /** Its folder's name has private parts that the person has not seen. */
  'privateWords',
  /** Its photos are the photos of another item. */
  'repeated',
  /** It looks like a live listing. */
  'liveDuplicate',
  /** The plan does not allow all its photos. */
  'overCap',
  /** Too few of its photos are usable, so a listing would be wasted. */
  'unusable',
  /** Its photos are being replaced, or photos are being added to its listing. */
  'replacingPhotos',
] as const;
export type ReviewReason = (typeof reviewReasons)[number];
/** `reviewed`: the person has started the item, so it is not deferred again automatically. */
export const storedReviewReasons = [...reviewReasons, 'reviewed'] as const;
export type StoredReviewReason = (typeof storedReviewReasons)[number];
/** Returns why an item is deferred; null if it is not deferred. */
export const getReviewReason = (stored: StoredReviewReason | null): ReviewReason | null =>
  stored === 'reviewed' ? null : stored;

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

export type ItemError = {
  kind: 'failed' | 'cancelled';
  code: string;
  sentence: string;
  says?: Message | undefined;
  next: NextStep[];
};

/** Items with one of these codes continue when the allowance has listings again. */
export const allowanceStopCodes: ReadonlySet<string> = new Set(['ALLOWANCE_USED', 'WOULD_BE_EXTRA', 'USAGE_LIMIT']);

export type SectionInput = {
  step: Step;
  stop: Pick<ItemError, 'code'> | null;
  isDeferred: boolean;
  isChecked: boolean;
};

/** Returns the section of an item in the list. An item that waits for the allowance counts as running. */
export const chooseSection = ({ step, stop, isDeferred, isChecked }: SectionInput): Section => {
  if (step === 'live' || step === 'ended') return 'live';
  if (stop !== null) return allowanceStopCodes.has(stop.code) ? 'working' : 'toCheck';
  if (step === 'review') return isChecked ? 'ready' : 'toCheck';
  return isDeferred ? 'toCheck' : 'working';
};

export type PhotoState = 'waiting' | 'ready' | 'refused' | 'aside';

/** `over_cap`: the photo is beyond the plan's limit. `label`: the photo shows the label of the item, which is private. */
export type AsideReason = 'person' | 'duplicate' | 'over_cap' | 'label';

/** URLs are paths on the window's own origin. The first `ready` photo is the main photo. */
export type PhotoView = {
  photoId: string;
  name: string;
  state: PhotoState;
  /** Why the photo is refused, set aside or unreadable. */
  sentence: string | null;
  says?: Message | undefined;
  aside: AsideReason | null;
  /** The id of a photo in the item that this photo duplicates. */
  duplicateOf: string | null;
  /** A photo with warnings is not refused. */
  warnings: { code: PhotoWarning; sentence: string }[];
  /** When the camera took the photo, in ms since 1970. */
  takenAt: number | null;
  edits: PhotoEdits;
  thumbUrl: string | null;
  fullUrl: string | null;
  width: number | null;
  height: number | null;
  uploaded: boolean;
};

export type BarcodeView = {
  value: string;
  format: BarcodeFormat;
  photoId: string;
  state: 'offered' | 'confirmed' | 'dismissed';
};

/** The fields that the person can change until the draft has been sent. Columns and properties have these names. */
export const itemFields = z.object({
  /** Context for the generation. The default is the folder's name. */
  note: z.string(),
});
export type ItemFields = z.infer<typeof itemFields>;

/** Words of a folder's name that the person wrote for themselves: where the item is, its SKU, or what it cost. */
export const privatePart = z.strictObject({ kind: z.enum(['place', 'sku', 'cost']), text: z.string() });
export type PrivatePart = z.infer<typeof privatePart>;

/** A change of the photos of a listing in review. */
export type PhotoChangeView = {
  stage: PhotoChangeStage;
  /** Whether the former photos are being sent again. */
  isCancelled: boolean;
  isChanged: boolean;
  /** Whether photos were sent and the listing might show other photos than before. */
  isUnsettled: boolean;
  /** The photos that the listing must get, in order. */
  photos: PhotoView[];
  /** The URLs of the photos that the listing shows, if they are neither the former nor the new ones. */
  shownUrls: string[];
  /** The uploaded photos. */
  progress: { done: number; total: number };
  sent: { bytes: number; total: number } | null;
  /** Why the change waits. */
  trouble: Message | null;
  /** Why the service refused the photos, or why they cannot be read. */
  problem: { sentence: string; says?: Message | undefined } | null;
};

/** Times are in ms since 1970. */
export type ItemView = ItemFields & {
  itemId: string;
  /** The name of the folder, without its private parts, or of the first photo. */
  name: string;
  /** The parts of the folder's name that stay on this computer, in the order of the name. */
  privateParts: PrivatePart[];
  /** The title of the generated listing. */
  title: string | null;
  step: Step;
  stop: ItemError | null;
  /** The state of the item as text, such as "Uploading, 2 of 5 photos". */
  words: string;
  says?: Message | undefined;
  /** The photos that are prepared or uploaded, depending on the step. */
  progress: { done: number; total: number } | null;
  /** The bytes of the current upload. */
  sent: { bytes: number; total: number } | null;
  photos: PhotoView[];
  /** The person can restore these photos. */
  removedPhotos: PhotoView[];
  /** The number of photos beyond the plan's limit. */
  overCap: number;
  reviewReason: ReviewReason | null;
  /** Whether the item is running and can still be deferred. */
  deferrable: boolean;
  /** Whether the photos can still be arranged and edited. */
  arrangeable: boolean;
  /** Whether the person has checked the listing. An edit by an assistant or a new generation resets it. */
  checked: boolean;
  photoChange: PhotoChangeView | null;
  /** Whether the listing is in review and all its photos are on this computer. */
  mayChangeListingPhotos: boolean;
  barcodes: BarcodeView[];
  listingId: string | null;
  /** Whether the note can still be changed. */
  noteOpen: boolean;
  /** A text file beside the photos. It is used only if the person chose to use it. */
  text: { name: string; text: string; used: boolean } | null;
  quantity: number;
  /** A `templateId` of null means no template; undefined means that the service chooses. */
  template: { templateId?: string | null | undefined; mayChange: boolean };
  by: string;
  createdAt: number;
  updatedAt: number;
};

export type ChangeName = TextName<'changes'>;

export type LastChange = { label: string; says?: Message | undefined; at: number };

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
  | 'createdAt'
> & {
  thumbUrl: string | null;
  section: Section;
  /** The number of photos that the listing will have. */
  photoCount: number;
  /** The number of problems that prevent a publish. Before the generation, the number of photos with warnings. */
  warningCount: number;
  /** `cents` is in minor units of the currency of the site. */
  price: { cents: number; site: string | null } | null;
  /** What only the person knows about it; null if nothing is stored. */
  shelf: ShelfFields | null;
};

/** `total` and `sections` also count the items in folded sections. */
export type ItemPage = { total: number; sections: Record<Section, number>; rows: ItemSummary[] };

/** `gap` is null for the first photo. `pauseMs` is the time since the previous photo was taken; null if unknown. */
export type ContactSheetPhoto = Pick<PhotoView, 'photoId' | 'name' | 'thumbUrl'> & {
  gap: { pauseMs: number | null; isUnsure: boolean } | null;
  /** Whether the photo shows the label of the item, so that it is not sent. */
  isLabel: boolean;
};

/** While `isPreparing` is true, the item can still be split automatically. */
export type ContactSheetRow = Pick<ItemView, 'itemId' | 'name' | 'reviewReason'> & {
  isPreparing: boolean;
  photos: ContactSheetPhoto[];
};

/** A row without the details of its photos. `unsureIds` are its photos whose gap is uncertain. */
export type ContactSheetOrderRow = Pick<ContactSheetRow, 'itemId' | 'reviewReason'> & {
  photoIds: string[];
  unsureIds: string[];
};

export type ContactSheetOrder = { rows: ContactSheetOrderRow[] };

/** The order of the contact sheet. Of a row that has not changed since the window's mark, it has only the item id. */
export type ContactSheetChanges = { mark: string; rows: (ContactSheetOrderRow | string)[] };

/**
 * `toCheck` items wait for the person. `deferred` does not count items whose photos are being replaced. `duplicates` are
 * the deferred items that look like a live listing. `done` is the progress of the running items, from 0 to 1.
 */
export type ItemCounts = {
  all: number;
  toCheck: number;
  publishable: number;
  deferred: number;
  duplicates: number;
  running: number;
  unwritten: number;
  done: number;
};

/** `total` counts all publishable items, but `itemIds` and `checked` contain only the first of them. */
export type ReadyItems = { total: number; itemIds: string[]; checked: string[] };

/** Items that no longer exist are omitted. */
export type ChosenItems = {
  /** `hidden`: the current search excludes the item. */
  ready: { itemId: string; listingId: string; hidden: boolean }[];
  /** `startable`: the item starts together with others. An item that looks like a live listing is answered alone. */
  arrangeable: { itemId: string; startable: boolean; hidden: boolean }[];
};

/** `at` is the number of items before this item; null if the list excludes the item. */
export type ItemPlace = { itemId: string; at: number | null };

/** The latest items that stopped or reached the step `review`, `live` or `ended` since a mark, newest last. */
export type SettledItems = { mark: string; items: ItemSummary[] };

export const itemErrorShape: z.ZodType<ItemError> = z.object({
  kind: z.enum(['failed', 'cancelled']),
  code: z.string(),
  sentence: z.string(),
  says: messageShape.optional(),
  next: z.array(z.enum(nextSteps)),
});
