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
import { defineIpcCall, createEmptyInput } from './call.ts';

const itemId = z.object({ itemId: z.string().min(1) });
const templateId = z.string().min(1).max(200).nullable();
const itemIds = z.array(z.string().min(1)).min(1).max(10_000);
const photoIds = z.array(z.string().min(1)).min(1).max(10_000);
/**
 * A filter for items: every word must occur in the title, the name, or the state in that language. Without a search,
 * `folded` hides live items; null hides them only if there are many.
 */
const itemFilter = z.object({
  find: z.string().max(200).default(''),
  language: z.enum(languageCodes).default('en'),
  folded: z.boolean().nullable().default(false),
});
const uploadId = z.string().regex(/^[0-9a-f-]{36}$/);
/**
 * The photos to add: paths in Electron; in a browser, bytes uploaded before to `POST /intake`, each with its
 * `uploadId`.
 */
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

export const itemCalls = {
  /** Lists item rows from `offset`, newest first. `items.get` returns a whole item. */
  'items.list': defineIpcCall(() =>
    itemFilter.extend({
      only: z.enum(['all', 'arrangeable']).default('all'),
      offset: z.int().min(0).default(0),
      limit: z.int().min(1).max(200).default(100),
    }),
  ).answering<ItemPage>(),
  'items.counts': defineIpcCall(createEmptyInput).answering<ItemCounts>(),
  /** Returns the number of items that can be published, and as many of them as one prompt allows. */
  'items.ready': defineIpcCall(() => itemFilter).answering<ReadyItems>(),
  /** Returns the possible acts on the selected items, and which of them the search hides. */
  'items.chosen': defineIpcCall(() => itemFilter.extend({ itemIds })).answering<ChosenItems>(),
  /** Returns the selectable items between two items of the list, inclusive. */
  'items.between': defineIpcCall(() => itemFilter.extend({ from: z.string().min(1), to: z.string().min(1) })).answering<
    string[]
  >(),
  /** Returns the neighbour of an item in the list, or the next item to review, or null. */
  'items.beside': defineIpcCall(() =>
    itemFilter.extend({ itemId: z.string().min(1).nullable(), way: z.enum(['down', 'up', 'review']) }),
  ).answering<ItemPlace | null>(),
  'items.ofListing': defineIpcCall(() => z.object({ listingId: z.string().min(1) })).answering<{
    itemId: string;
  } | null>(),
  'items.get': defineIpcCall(() => itemId).answering<ItemView>(),
  /** Adds items with a template; null means no template, undefined means the setting. */
  'items.add': defineIpcCall(() =>
    z.object({ sources, note: z.string().max(20_000).optional(), templateId: templateId.optional() }),
  ).answering<AddedItems>(),
  /** Adds photos to an item that can be arranged, or to a listing that is not written yet. The listing gets an item. */
  'items.addInto': defineIpcCall(() =>
    z.object({ sources, into: z.union([itemId.strict(), z.strictObject({ listingId: z.string().min(1) })]) }),
  ).answering<AddedItems>(),
  'items.addSamples': defineIpcCall(createEmptyInput).answering<AddedItems>(),
  /** Changes the fields of an item that its person writes. TOO_LATE after the draft is created. */
  'items.change': defineIpcCall(() =>
    itemId.extend({ changes: z.object({ note: z.string().max(20_000).exactOptional() }) }),
  ).answering<ItemView>(),
  /** Sets the template of an item; null means no template. TOO_LATE after its draft is created. */
  'items.beginWith': defineIpcCall(() => itemId.extend({ templateId })).answering<ItemView>(),
  /**
   * Sets whether the text file beside an item's photos is used; later items use the same setting. TOO_LATE after the
   * draft is created.
   */
  'items.useText': defineIpcCall(() => itemId.extend({ used: z.boolean() })).answering<ItemView>(),
  /** Defers an item until the person reviews it. TOO_LATE after its photos are uploaded. */
  'items.defer': defineIpcCall(() => itemId).answering<ItemView>(),
  /**
   * Marks an item as checked with the listing that was `seen`; null removes the mark. LOOK_AGAIN if the listing
   * changed.
   */
  'items.check': defineIpcCall(() => itemId.extend({ seen: listing.nullable() })).answering<ItemView>(),
  'items.cancel': defineIpcCall(() => itemId).answering<ItemView>(),
  'items.resume': defineIpcCall(() => itemId).answering<ItemView>(),
  /** Resumes an item without its unreadable photos. TOO_LATE if it has none. */
  'items.skipUnreadable': defineIpcCall(() => itemId).answering<ItemView>(),
  /**
   * Returns an item with unreadable photos to arranging, where they can be replaced. The item is not written until
   * then.
   */
  'items.changePhotos': defineIpcCall(() => itemId).answering<ItemView>(),
  'items.remove': defineIpcCall(() => itemId).answering<null>(),
  /** Returns the latest items that settled since an earlier mark, and a new mark; null returns only the mark. */
  'items.settled': defineIpcCall(() => z.object({ mark: z.string().max(400).nullable() })).answering<SettledItems>(),
  /** Starts grouped items after the person's review: the given items, or all. Returns how many. */
  'items.begin': defineIpcCall(() => z.object({ itemIds: itemIds.optional() })).answering<number>(),
  /** Stores the person's decision on a barcode of a photo. */
  'items.barcode': defineIpcCall(() =>
    itemId.extend({
      value: z.string().min(1).max(100),
      state: z.enum(['offered', 'confirmed', 'dismissed'] satisfies BarcodeView['state'][]),
    }),
  ).answering<ItemView>(),

  /** Arranging: each call returns the items that it changed, and `items.undo` reverts it. TOO_LATE after the upload. */
  'items.merge': defineIpcCall(() => z.object({ itemIds: itemIds.min(2) })).answering<ItemView[]>(),
  'items.split': defineIpcCall(() => z.object({ photoIds })).answering<ItemView[]>(),
  /** Moves photos to an item, before the given photo or to the end. */
  'items.movePhotos': defineIpcCall(() =>
    itemId.extend({ photoIds, before: z.string().nullable().default(null) }),
  ).answering<ItemView[]>(),
  /** Moves these photos to the front, in this order. The first is the main photo. */
  'items.order': defineIpcCall(() => itemId.extend({ photoIds })).answering<ItemView[]>(),
  /** Returns the contact sheet of grouped items. */
  'items.sheet': defineIpcCall(createEmptyInput).answering<ContactSheet>(),
  'items.lastChange': defineIpcCall(createEmptyInput).answering<LastChange | null>(),
  'items.undo': defineIpcCall(createEmptyInput).answering<ItemView[]>(),
  'photos.remove': defineIpcCall(() => z.object({ photoIds })).answering<ItemView[]>(),
  'photos.restore': defineIpcCall(() => z.object({ photoIds })).answering<ItemView[]>(),
  'photos.aside': defineIpcCall(() => z.object({ photoIds, aside: z.boolean() })).answering<ItemView[]>(),
  'photos.edit': defineIpcCall(() => z.object({ photoId: z.string().min(1), edits: photoEdits })).answering<
    ItemView[]
  >(),
  /** Returns a small data URL of the person's picture, from a file or an earlier upload. Nothing is sent. */
  'photos.avatar': defineIpcCall(() =>
    z.union([z.object({ path: z.string().min(1).max(4_000) }), z.object({ uploadId })]),
  ).answering<string>(),
  'photos.diskUse': defineIpcCall(createEmptyInput).answering<DiskUse>(),
  /** Removes prepared files that are no longer needed. The person's own files are never touched. */
  'photos.cleanUp': defineIpcCall(createEmptyInput).answering<DiskUse>(),
};
