import * as z from 'zod';
import type { TextName, Message } from '../../../i18n/message.ts';
import { messageShape } from '../../base/messages.ts';
import type { PhotoEdits, BarcodeFormat } from '../../../photoContract/messages.ts';
import type { PhotoWarning } from '../../../photoContract/constants.ts';

/**
 * The steps of an item's way, in order. `arranging` is waiting for the person to look at photos that were put together by
 * a guess; `line` is waiting for one of the five places to be written.
 */
export const steps = ['photos', 'arranging', 'draft', 'upload', 'line', 'writing', 'review', 'live', 'ended'] as const;
export type Step = (typeof steps)[number];

/** Up to here photos may still be arranged, as long as none of them has a place at the service. */
export const arrangeableSteps = ['photos', 'arranging', 'draft', 'upload'] as const satisfies readonly Step[];

/**
 * The parts of the list, in its order: what waits for the person's look, what goes on by itself, what was looked over, and
 * what is live or was.
 */
export const sections = ['toCheck', 'working', 'ready', 'live'] as const;
export type Section = (typeof sections)[number];

/** How `guessed` is stored of an item whose photos are exchanged or added: nothing is written until the person begins it. */
export const changing = 3;
/**
 * Why an item waits for the person's look: its photos were put together by a guess, the person wants to check them, the
 * plan does not take all of them, or most of them cannot be used.
 */
export const holds = ['person', 'over_cap', 'unusable'] as const;
export type Hold = 'guess' | (typeof holds)[number];

/** What a person can do about an item that stands still. */
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

/** Why an item stands still: something failed, or the person stopped it. */
export type ItemError = {
  kind: 'failed' | 'cancelled';
  code: string;
  sentence: string;
  says?: Message | undefined;
  next: NextStep[];
};

export type PhotoState = 'waiting' | 'ready' | 'refused' | 'aside';

/** Why a photo is set aside: by the person, as a copy of another, or beyond the plan's number. */
export type AsideReason = 'person' | 'duplicate' | 'over_cap';

/** A local photo as the window shows it. Addresses are paths below the window's own origin; the first `ready` one is the main photo. */
export type PhotoView = {
  photoId: string;
  name: string;
  state: PhotoState;
  /** Why it is refused or set aside, or cannot be read now. */
  sentence: string | null;
  says?: Message | undefined;
  aside: AsideReason | null;
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
  stop: ItemError | null;
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
  /** It waits for the person's look: nothing is sent before the person begins it. */
  guessed: boolean;
  /** Its photos are exchanged, or added to a listing that is there: nothing is sent before the person has it written. */
  changingPhotos: boolean;
  /** Why it waits; null where it does not. */
  hold: Hold | null;
  /** Whether it goes on by itself now and can still be held back. */
  holdable: boolean;
  /** Whether its photos can still be arranged and edited. */
  arrangeable: boolean;
  /** The person looked its listing over and found it right; what an assistant edits or what is written anew is not. */
  checked: boolean;
  barcodes: BarcodeView[];
  listingId: string | null;
  /** The person's own words, which the writing takes in; at first what the folder is called. */
  note: string;
  /** Whether the note can still be changed: until the draft was started with it. */
  noteOpen: boolean;
  /** A text file that lay beside the photos: proposed, and used only where the person ticked it. */
  text: { name: string; text: string; used: boolean } | null;
  quantity: number;
  /** What it begins with: null is none, and without an id it is left to the service; until the draft it may be changed. */
  template: { templateId?: string | null | undefined; mayChange: boolean };
  by: string;
  createdAt: number;
  updatedAt: number;
};

/** How a change of the photos' arrangement is named. */
export type ChangeName = TextName<'changes'>;

/** The last change of the photos' arrangement, which `undo` takes back. */
export type LastChange = { label: string; says?: Message | undefined; at: number };

/** What a list shows of an item: no photo of it but the address of one small picture. */
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
  /** How many photos go with it. */
  photoCount: number;
  /** What is in the way of its publish; before it is written, how many of its photos are worth a word. */
  warningCount: number;
  /** In minor units, and the site whose currency it is in. */
  price: { cents: number; site: string | null } | null;
};

/** Some of the items that were asked for, how many there are in all, and in each section, also in one that is folded. */
export type ItemPage = { total: number; sections: Record<Section, number>; rows: ItemSummary[] };

/**
 * A photo on the contact sheet. `gap` lies before it, null before the first of all: the time between the two shots, null
 * where one says none, and whether what was made of the gap is worth a second look.
 */
export type SheetPhoto = Pick<PhotoView, 'photoId' | 'name' | 'thumbUrl' | 'edits'> & {
  gap: { pauseMs: number | null; isUnsure: boolean } | null;
};

/** An item on the contact sheet; its photos may still be being prepared, and then it may still be split. */
export type SheetRow = Pick<ItemView, 'itemId' | 'name'> & { isPreparing: boolean; photos: SheetPhoto[] };

/** Items that were put together by a guess, in the order of their shots. */
export type ContactSheet = { rows: SheetRow[] };

/**
 * How many items there are, how many wait for the person, how many of them for a look at what was guessed, and what goes on
 * by itself: `done` is 0 to 1.
 */
export type ItemCounts = { all: number; toCheck: number; guessed: number; running: number; done: number };

/** Items that can be published: how many, the first of them, and the first of those that were looked over. */
export type ReadyItems = { total: number; itemIds: string[]; checked: string[] };

/** What can be done with the items that a person has chosen; what is no longer there is in neither. */
export type ChosenItems = {
  ready: { itemId: string; listingId: string }[];
  /** `hidden`: what is looked for leaves it out of the list. */
  arrangeable: { itemId: string; guessed: boolean; hidden: boolean }[];
};

/** An item in a list, and how many stand before it; null when the list leaves it out. */
export type ItemPlace = { itemId: string; at: number | null };

/** Items that came to rest since a mark, the latest last: written, live, ended, or stopped. No more than the latest few. */
export type SettledItems = { mark: string; items: ItemSummary[] };

/** Why an item stands still, as it is stored. */
export const itemErrorShape: z.ZodType<ItemError> = z.object({
  kind: z.enum(['failed', 'cancelled']),
  code: z.string(),
  sentence: z.string(),
  says: messageShape.optional(),
  next: z.array(z.enum(nextSteps)),
});
