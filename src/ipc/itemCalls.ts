import * as z from 'zod';
import { listing } from '../contract/index.ts';
import { photoEdits } from '../photoContract/messages.ts';
import type { AddedItems } from '../core/items/addPhotos.ts';
import type { DiskUse } from '../core/photos/photoDisk.ts';
import type {
  BarcodeView,
  ItemView,
  ContactSheet,
  LastChange,
  ChosenItems,
  ItemCounts,
  ItemPage,
  ItemPlace,
  ReadyItems,
  SettledItems,
} from '../core/storage/tables/itemRecord.ts';
import { languageCodes } from '../i18n/languages.ts';
import { call, nothing } from './call.ts';

const itemId = z.object({ itemId: z.string().min(1) });
const templateId = z.string().min(1).max(200).nullable();
const itemIds = z.array(z.string().min(1)).min(1).max(10_000);
const photoIds = z.array(z.string().min(1)).min(1).max(10_000);
/**
 * Which of the items: those with every word in the title, the name, or the state as that language says it; `folded` leaves
 * the live ones out where nothing is looked for, null where there are many of them.
 */
const itemFilter = z.object({
  find: z.string().max(200).default(''),
  language: z.enum(languageCodes).default('en'),
  folded: z.boolean().nullable().default(false),
});
const uploadId = z.string().regex(/^[0-9a-f-]{36}$/);
/** Photos to take in: paths in Electron; in a browser, bytes sent before to `POST /intake` and named by their `uploadId`. */
const sources = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('paths'), paths: z.array(z.string().min(1)).min(1).max(10_000) }),
  z.object({
    kind: z.literal('uploads'),
    files: z
      .array(z.object({ uploadId, relativePath: z.string().min(1).max(4_000) }))
      .min(1)
      .max(10_000),
  }),
]);

/** The calls about items and their photos. */
export const itemCalls = {
  /** The rows from `offset` on, newest first, as a list shows them; each item on its own answers `items.get`. */
  'items.list': call(() =>
    itemFilter.extend({
      only: z.enum(['all', 'arrangeable']).default('all'),
      offset: z.int().min(0).default(0),
      limit: z.int().min(1).max(200).default(100),
    }),
  ).answering<ItemPage>(),
  'items.counts': call(nothing).answering<ItemCounts>(),
  /** Those that can be published: how many, and as many as one question takes. */
  'items.ready': call(() => itemFilter).answering<ReadyItems>(),
  /** What can be done with the items that the person has chosen, and which of them a search hides. */
  'items.chosen': call(() => itemFilter.extend({ itemIds })).answering<ChosenItems>(),
  /** Those between two in the list that can be chosen, both included. */
  'items.between': call(() => itemFilter.extend({ from: z.string().min(1), to: z.string().min(1) })).answering<
    string[]
  >(),
  /** The item beside another in the list, or the next one that waits to be looked over; null when there is none. */
  'items.beside': call(() =>
    itemFilter.extend({ itemId: z.string().min(1).nullable(), way: z.enum(['down', 'up', 'review']) }),
  ).answering<ItemPlace | null>(),
  /** The item of a listing; null when it has none on this machine. */
  'items.ofListing': call(() => z.object({ listingId: z.string().min(1) })).answering<{ itemId: string } | null>(),
  'items.get': call(() => itemId).answering<ItemView>(),
  /** With a template, with none for null, or as the settings say. */
  'items.add': call(() =>
    z.object({ sources, note: z.string().max(20_000).optional(), templateId: templateId.optional() }),
  ).answering<AddedItems>(),
  /** Adds photos to an item that can be arranged, or to a listing that is not written, which has an item from then on. */
  'items.addInto': call(() =>
    z.object({ sources, into: z.union([itemId.strict(), z.strictObject({ listingId: z.string().min(1) })]) }),
  ).answering<AddedItems>(),
  'items.addSamples': call(nothing).answering<AddedItems>(),
  'items.note': call(() => itemId.extend({ note: z.string().max(20_000) })).answering<ItemView>(),
  /** The template that an item begins with, null for none. TOO_LATE once its draft is made. */
  'items.beginWith': call(() => itemId.extend({ templateId })).answering<ItemView>(),
  /** Has the text file beside an item's photos used, or not; the next items come the same way. TOO_LATE once the draft is made. */
  'items.useText': call(() => itemId.extend({ used: z.boolean() })).answering<ItemView>(),
  /** Has an item wait for the person's look before anything is uploaded. TOO_LATE once its photos are at the service. */
  'items.hold': call(() => itemId).answering<ItemView>(),
  /** The person looked its listing over and found it right as it was `seen`, or takes that back with null. LOOK_AGAIN. */
  'items.check': call(() => itemId.extend({ seen: listing.nullable() })).answering<ItemView>(),
  'items.cancel': call(() => itemId).answering<ItemView>(),
  'items.resume': call(() => itemId).answering<ItemView>(),
  /** Has an item go on without the photos that cannot be read where they lie now. TOO_LATE where there are none. */
  'items.skipUnreadable': call(() => itemId).answering<ItemView>(),
  /** Takes an item whose photos could not be read back to where they are exchanged; nothing is written meanwhile. */
  'items.changePhotos': call(() => itemId).answering<ItemView>(),
  'items.remove': call(() => itemId).answering<null>(),
  /** The latest that came to rest since the mark of an earlier answer; none for null. */
  'items.settled': call(() => z.object({ mark: z.string().max(400).nullable() })).answering<SettledItems>(),
  /** Starts items whose photos were put together by a guess, after the person's look: the given ones, or all. Answers how many. */
  'items.begin': call(() => z.object({ itemIds: itemIds.optional() })).answering<number>(),
  /** The person's word on a barcode that was read on a photo. */
  'items.barcode': call(() =>
    itemId.extend({
      value: z.string().min(1).max(100),
      state: z.enum(['offered', 'confirmed', 'dismissed'] satisfies BarcodeView['state'][]),
    }),
  ).answering<ItemView>(),

  /** Arranging: each answers the items that it touched, and is taken back by `items.undo`. TOO_LATE once uploaded. */
  'items.merge': call(() => z.object({ itemIds: itemIds.min(2) })).answering<ItemView[]>(),
  'items.split': call(() => z.object({ photoIds })).answering<ItemView[]>(),
  /** Moves photos to an item: before that photo of it, or to its end. */
  'items.movePhotos': call(() => itemId.extend({ photoIds, before: z.string().nullable().default(null) })).answering<
    ItemView[]
  >(),
  /** The photos named come first, in this order; the first is the main photo. */
  'items.order': call(() => itemId.extend({ photoIds })).answering<ItemView[]>(),
  /** What was put together by a guess, on one sheet. */
  'items.sheet': call(nothing).answering<ContactSheet>(),
  'items.lastChange': call(nothing).answering<LastChange | null>(),
  'items.undo': call(nothing).answering<ItemView[]>(),
  'photos.remove': call(() => z.object({ photoIds })).answering<ItemView[]>(),
  'photos.restore': call(() => z.object({ photoIds })).answering<ItemView[]>(),
  'photos.aside': call(() => z.object({ photoIds, aside: z.boolean() })).answering<ItemView[]>(),
  'photos.edit': call(() => z.object({ photoId: z.string().min(1), edits: photoEdits })).answering<ItemView[]>(),
  /** A picture of the person as a small data URL, from a file, or from bytes that came before. Nothing is sent. */
  'photos.avatar': call(() =>
    z.union([z.object({ path: z.string().min(1).max(4_000) }), z.object({ uploadId })]),
  ).answering<string>(),
  'photos.diskUse': call(nothing).answering<DiskUse>(),
  /** Removes prepared files that nothing needs any more; answers what is left. The person's files are never touched. */
  'photos.cleanUp': call(nothing).answering<DiskUse>(),
};
