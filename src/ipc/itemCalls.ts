import * as z from 'zod';
import { listing } from '../contract/index.ts';
import { photoEdits } from '../photoContract/messages.ts';
import type { AddedItems } from '../core/items/addPhotos.ts';
import type { RepeatQuestion } from '../core/items/adding/repeatStore.ts';
import type { DiskUse } from '../core/photos/photoDisk.ts';
import type {
  BarcodeView,
  ItemView,
  ContactSheetChanges,
  ContactSheetRow,
  LastChange,
  ChosenItems,
  ItemCounts,
  ItemPage,
  ItemPlace,
  ReadyItems,
  SettledItems,
} from '../core/storage/tables/itemRecord.ts';
import { fitsPage, labelChoice, resolveLabelSheet } from '../contract/labelSheets.ts';
import { folderPatternShape, shelfChanges, shelfFields } from '../core/base/shelfFields.ts';
import type { LabelLayout } from '../core/shelf/labels.ts';
import type { PickListView } from '../core/shelf/pickList.ts';
import type { FolderNamePreview, LastShelfEdit, NumberedShelf, ShelfView } from '../core/shelf/shelf.ts';
import type { NamedShelfTarget } from '../core/storage/tables/shelfTable.ts';
import { languageCodes } from '../i18n/languages.ts';
import { defineIpcCall, createEmptyInputSchema, idShape } from './call.ts';

const itemId = z.object({ itemId: idShape });
const templateId = idShape.nullable();
const itemIds = z.array(idShape).min(1).max(10_000);
const photoIds = z.array(idShape).min(1).max(10_000);
/**
 * Every word of `find` must occur in the item's title, name or state. Without `find`, `folded: true` hides live items,
 * and `folded: null` hides them only if there are many.
 */
const itemFilter = z.object({
  find: z.string().max(200).default(''),
  language: z.enum(languageCodes).default('en'),
  folded: z.boolean().nullable().default(false),
});
const uploadId = z.string().regex(/^[0-9a-f-]{36}$/);
/**
 * Electron sends paths. A browser uploads the bytes to `POST /intake` first and then sends the `uploadId` of each file.
 */
const sources = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('paths'), paths: z.array(z.string().min(1).max(32_767)).min(1).max(10_000) }),
  z.object({
    kind: z.literal('uploads'),
    files: z
      .array(z.object({ uploadId, relativePath: z.string().min(1).max(4_000) }))
      .min(1)
      .max(10_000),
  }),
]);

/** Items and listings. An item and its listing are one target. */
const shelfTargets = z.object({
  itemIds: itemIds.optional(),
  listingIds: z.array(idShape).min(1).max(10_000).optional(),
});

const maxLabels = 1_000;
const labelIds = z.array(idShape).min(1).max(maxLabels).optional();
const labelTargets = z.object({
  itemIds: labelIds,
  listingIds: labelIds,
  choice: labelChoice.refine((choice) => fitsPage(resolveLabelSheet(choice))),
});
/** `startAt` is the number of labels that are already missing from the first sheet. */
const labelDocument = labelTargets.extend({ startAt: z.int().min(0).max(2_499) });

/** `layout` is null if no target has a SKU or a place. */
export type LabelPreview = { layout: LabelLayout | null; total: number; withoutSku: number };

/** What the person knows about items and listings and the service does not. Every change is private and can be undone. */
const shelfCalls = {
  'shelf.read': defineIpcCall('none', () =>
    z.union([itemId.strict(), z.strictObject({ listingId: idShape })]),
  ).answering<ShelfView>(),
  /** `addTags` keeps the other tags, and `addPackage` the other measures. */
  'shelf.change': defineIpcCall('none', () =>
    shelfTargets.extend({
      changes: shelfChanges,
      addTags: shelfFields.shape.tags.optional(),
      addPackage: shelfFields.shape.package.optional(),
    }),
  ).answering<null>(),
  /** Gives each target the next SKU of its place, in the order of the ids. */
  'shelf.number': defineIpcCall('none', () => shelfTargets).answering<NumberedShelf>(),
  'shelf.lastEdit': defineIpcCall('none', createEmptyInputSchema).answering<LastShelfEdit | null>(),
  /** Lays out the first label with a SKU or a place. */
  'shelf.labelPreview': defineIpcCall('none', () => labelTargets).answering<LabelPreview>(),
  /** Makes the labels as a PDF, in the order of the ids. */
  'shelf.labels': defineIpcCall('none', () => labelDocument).answering<{
    name: string;
    type: string;
    base64: string;
  }>(),
  /**
   * Shows the PDF of the labels for printing. `url` is null if the host has opened it in the PDF program of this
   * computer.
   */
  'shelf.printLabels': defineIpcCall('none', () => labelDocument).answering<{ url: string | null }>(),
  /** Undoes the last edit of several rows, or the last numbering. */
  'shelf.undo': defineIpcCall('none', createEmptyInputSchema).answering<null>(),
  /** Returns the items and listings with this SKU. */
  'shelf.find': defineIpcCall('none', () => z.object({ sku: z.string().min(1).max(50) })).answering<
    NamedShelfTarget[]
  >(),
  /** Returns the sold listings to send, in the order of their places. */
  'shelf.pickList': defineIpcCall('none', createEmptyInputSchema).answering<PickListView>(),
  /** Ticks sold listings as sent, or takes the tick back. */
  'shelf.markSent': defineIpcCall('none', () =>
    z.object({ listingIds: z.array(idShape).min(1).max(10_000), sent: z.boolean() }),
  ).answering<null>(),
  /**
   * Shows how the companion would read the last folder names with this pattern. With an empty pattern, it recognises
   * private words without a pattern.
   */
  'shelf.folderNames': defineIpcCall('none', () => z.object({ folderPattern: folderPatternShape })).answering<
    FolderNamePreview[]
  >(),
};

export const itemCalls = {
  ...shelfCalls,
  'items.list': defineIpcCall('none', () =>
    itemFilter.extend({
      only: z.enum(['all', 'arrangeable']).default('all'),
      offset: z.int().min(0).default(0),
      limit: z.int().min(1).max(200).default(100),
    }),
  ).answering<ItemPage>(),
  'items.counts': defineIpcCall('none', createEmptyInputSchema).answering<ItemCounts>(),
  /** Returns the number of items that can be published, and as many of their ids as one prompt can contain. */
  'items.ready': defineIpcCall('none', () => itemFilter).answering<ReadyItems>(),
  /** Returns which actions are possible with the selected items, and which selected items the search hides. */
  'items.chosen': defineIpcCall('none', () => itemFilter.extend({ itemIds })).answering<ChosenItems>(),
  'items.between': defineIpcCall('none', () => itemFilter.extend({ from: idShape, to: idShape })).answering<string[]>(),
  /** Returns the next or previous item of the list, or the next item to review; null if the list has no such item. */
  'items.beside': defineIpcCall('none', () =>
    itemFilter.extend({ itemId: idShape.nullable(), way: z.enum(['down', 'up', 'review']) }),
  ).answering<ItemPlace | null>(),
  /** Returns the next weak item among the chosen items, else among the checked ones, else among the publishable ones. */
  'items.nextWeak': defineIpcCall('none', () =>
    itemFilter.extend({ itemId: idShape.nullable(), itemIds: z.array(idShape).max(10_000) }),
  ).answering<ItemPlace | null>(),
  'items.ofListing': defineIpcCall('none', () => z.object({ listingId: idShape })).answering<{
    itemId: string;
  } | null>(),
  'items.get': defineIpcCall('none', () => itemId).answering<ItemView>(),
  /** A null template means no template; undefined means the template in the settings. */
  /** Photos that items already have are not added: `repeats` asks for the person's answer. */
  'items.add': defineIpcCall('none', () =>
    z.object({ sources, note: z.string().max(20_000).optional(), templateId: templateId.optional() }),
  ).answering<AddedItems>(),
  /** Returns the drops of repeated photos that wait for the person's answer, oldest first. */
  'items.repeats': defineIpcCall('none', createEmptyInputSchema).answering<RepeatQuestion[]>(),
  /** Adds the repeated photos of a drop, or forgets them. */
  'items.settleRepeats': defineIpcCall('none', () =>
    z.object({ repeatId: z.uuid(), add: z.boolean() }),
  ).answering<AddedItems>(),
  /**
   * Adds photos to an item that can be arranged, or to a listing that has no texts yet. The companion creates an item
   * for such a listing.
   */
  'items.addInto': defineIpcCall('none', () =>
    z.object({ sources, into: z.union([itemId.strict(), z.strictObject({ listingId: idShape })]) }),
  ).answering<AddedItems>(),
  'items.addSamples': defineIpcCall('none', createEmptyInputSchema).answering<AddedItems>(),
  /** Changes the item fields that the person writes. Throws TOO_LATE if the draft exists. */
  'items.change': defineIpcCall('none', () =>
    itemId.extend({ changes: z.object({ note: z.string().max(20_000).exactOptional() }) }),
  ).answering<ItemView>(),
  /** Sets the template of an item; null means no template. Throws TOO_LATE if the draft exists. */
  'items.beginWith': defineIpcCall('none', () => itemId.extend({ templateId })).answering<ItemView>(),
  /**
   * Sets whether an item uses the text file beside its photos; later items use the same setting. Throws TOO_LATE if the
   * draft exists.
   */
  'items.useText': defineIpcCall('none', () => itemId.extend({ used: z.boolean() })).answering<ItemView>(),
  /** Defers an item until the person reviews it. Throws TOO_LATE if its photos are uploaded. */
  'items.defer': defineIpcCall('none', () => itemId).answering<ItemView>(),
  /**
   * Marks an item as checked. `seen` is the listing that the person has seen; null removes the mark. Throws LOOK_AGAIN
   * if the listing has changed.
   */
  'items.check': defineIpcCall('none', () => itemId.extend({ seen: listing.nullable() })).answering<ItemView>(),
  'items.cancel': defineIpcCall('none', () => itemId).answering<ItemView>(),
  'items.resume': defineIpcCall('none', () => itemId).answering<ItemView>(),
  /** Resumes an item without its unreadable photos. Throws TOO_LATE if all photos of the item are readable. */
  'items.skipUnreadable': defineIpcCall('none', () => itemId).answering<ItemView>(),
  /** Moves an item with unreadable photos back to arranging, so that the person can replace the photos. */
  'items.changePhotos': defineIpcCall('none', () => itemId).answering<ItemView>(),
  'items.remove': defineIpcCall('none', () => itemId).answering<null>(),
  /**
   * Returns the items that reached review or stopped after `mark`, and a new mark. If `mark` is null, returns only a
   * new mark.
   */
  'items.settled': defineIpcCall('none', () =>
    z.object({ mark: z.string().max(400).nullable() }),
  ).answering<SettledItems>(),
  /**
   * Starts the grouped items that the person has reviewed. Without `itemIds`, starts all of them. Returns the number of
   * started items.
   */
  'items.begin': defineIpcCall('none', () => z.object({ itemIds: itemIds.optional() })).answering<number>(),
  'items.barcode': defineIpcCall('none', () =>
    itemId.extend({
      value: z.string().min(1).max(100),
      state: z.enum(['offered', 'confirmed', 'dismissed'] satisfies BarcodeView['state'][]),
    }),
  ).answering<ItemView>(),

  /**
   * The calls that arrange photos return the items that they changed. They throw TOO_LATE if the photos are uploaded.
   */
  'items.merge': defineIpcCall('none', () => z.object({ itemIds: itemIds.min(2) })).answering<ItemView[]>(),
  'items.split': defineIpcCall('none', () => z.object({ photoIds })).answering<ItemView[]>(),
  /** Moves photos before the photo `before`, or to the end if `before` is null. */
  'items.movePhotos': defineIpcCall('none', () =>
    itemId.extend({ photoIds, before: idShape.nullable().default(null) }),
  ).answering<ItemView[]>(),
  'items.order': defineIpcCall('none', () => itemId.extend({ photoIds })).answering<ItemView[]>(),
  /**
   * The `listingPhotos` calls change the photos of a listing in review. They throw TOO_LATE if its photos can no longer
   * be changed. This one sets the new order and sends nothing.
   */
  'listingPhotos.order': defineIpcCall('none', () => itemId.extend({ photoIds })).answering<ItemView>(),
  /** Puts the only photo of the sources in the place of a photo. Sends nothing. */
  'listingPhotos.replace': defineIpcCall('none', () =>
    itemId.extend({ photoId: idShape, sources }),
  ).answering<ItemView>(),
  /** Sends the photos that differ, and reads afterwards which photos the listing shows. */
  'listingPhotos.send': defineIpcCall('none', () => itemId).answering<ItemView>(),
  /** Reads the photos of the listing again, and sends those that it does not show. */
  'listingPhotos.retry': defineIpcCall('none', () => itemId).answering<ItemView>(),
  /** Sends the former photos again. */
  'listingPhotos.restore': defineIpcCall('none', () => itemId).answering<ItemView>(),
  /** Drops a draft, or forgets an outcome. */
  'listingPhotos.close': defineIpcCall('none', () => itemId).answering<ItemView>(),
  /** Stops a running change and restores the former photos. */
  'listingPhotos.cancel': defineIpcCall('none', () => itemId).answering<ItemView>(),
  /** Creates another item from the new photos. The item waits until the person starts it. */
  'listingPhotos.writeAgain': defineIpcCall('none', () => itemId).answering<{ itemId: string }>(),
  /** `mark` is that of the window's previous answer; null if it has none. */
  'items.sheet': defineIpcCall('none', () =>
    z.object({ mark: z.string().max(400).nullable() }),
  ).answering<ContactSheetChanges>(),
  /** Returns null if the item is no longer on the contact sheet. */
  'items.sheetRow': defineIpcCall('none', () => itemId).answering<ContactSheetRow | null>(),
  'items.lastChange': defineIpcCall('none', createEmptyInputSchema).answering<LastChange | null>(),
  'items.undo': defineIpcCall('none', createEmptyInputSchema).answering<ItemView[]>(),
  'photos.remove': defineIpcCall('none', () => z.object({ photoIds })).answering<ItemView[]>(),
  'photos.restore': defineIpcCall('none', () => z.object({ photoIds })).answering<ItemView[]>(),
  'photos.aside': defineIpcCall('none', () => z.object({ photoIds, aside: z.boolean() })).answering<ItemView[]>(),
  'photos.edit': defineIpcCall('none', () => z.object({ photoId: idShape, edits: photoEdits })).answering<ItemView[]>(),
  /** 1 rotates to the right, -1 to the left. */
  'photos.turn': defineIpcCall('none', () =>
    z.object({ photoIds, by: z.union([z.literal(1), z.literal(-1)]) }),
  ).answering<ItemView[]>(),
  /**
   * Returns the person's picture as a small data URL, and sends it to no service. The picture comes from a file or an
   * earlier upload.
   */
  'photos.avatar': defineIpcCall('none', () =>
    z.union([z.object({ path: z.string().min(1).max(4_000) }), z.object({ uploadId })]),
  ).answering<string>(),
  'photos.diskUse': defineIpcCall('none', createEmptyInputSchema).answering<DiskUse>(),
  'photos.cleanUp': defineIpcCall('none', createEmptyInputSchema).answering<DiskUse>(),
};
