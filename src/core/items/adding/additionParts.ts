import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { askerShape } from '../../base/request.ts';
import { type ShelfChanges, shelfChanges } from '../../base/shelfFields.ts';
import { cutIntoSlices } from '../../base/slices.ts';
import { itemCallShape, skippedPhoto } from '../../storage/tables/begunCallsTable.ts';
import { privatePart, reviewReasons } from '../../storage/tables/itemRecord.ts';
import type { NewPhoto } from '../../storage/tables/itemsTable.ts';

/** An `owned` file is a copy that can be deleted. Any other file is read only inside `root`. */
const newPhoto = z.object({ name: z.string(), source: z.string(), root: z.string().nullable(), owned: z.boolean() });

/** The photos of a new item. If it has a `reviewReason`, nothing is sent before the person has reviewed the item. */
export const newItemPhotos = z.object({
  name: z.string(),
  note: z.string(),
  reviewReason: z.enum(reviewReasons).nullable().default(null),
  privateParts: z.array(privatePart).readonly().default([]),
  /** The dropped folder of which the companion groups the photos; null if the photos are grouped. */
  dropId: z.string().nullable().default(null),
  /** What the asker says about the item for the shelf. It takes precedence over the name of the folder. */
  shelf: shelfChanges.optional(),
  text: z.object({ name: z.string(), text: z.string() }).nullable().default(null),
  /** The assistant's call that creates the item. It is stored so that a repeated call creates nothing. */
  call: itemCallShape.extend({ left: z.array(skippedPhoto) }).optional(),
  photos: z.array(newPhoto),
});
/** The values of the shelf are checked before. */
type CheckedShelf = { shelf?: ShelfChanges | undefined };
export type NewItemPhotos = Omit<z.input<typeof newItemPhotos>, 'shelf'> & CheckedShelf;

export const generationWishes = z.object({
  quantity: z.number().exactOptional(),
  marketplaceId: z.string().nullable().exactOptional(),
  listingLanguage: z.string().nullable().exactOptional(),
  templateId: z.string().nullable().optional(),
});

/** Photos of a new item. If it has more, `item` is null in all pieces but its first one. */
const piece = z.object({
  itemId: z.string(),
  item: newItemPhotos.omit({ photos: true }).nullable(),
  photos: z.array(newPhoto),
});
export type Piece = Omit<z.output<typeof piece>, 'item'> & { item: Omit<NewItemPhotos, 'photos'> | null };
export const additionPart = z.array(piece);

/** What the person is told about added items. `privateParts` come from the names of their folders. */
const addedFacts = z.object({
  ...{ items: z.int(), photos: z.int(), isGrouped: z.boolean() },
  privateParts: z.array(privatePart).readonly(),
});
export type AddedFacts = z.infer<typeof addedFacts>;

/** `count` is the number of items that already have the photos, `added` what the person is told after a yes. */
const repeatFacts = z.object({ count: z.int().min(1), added: addedFacts });
export type RepeatFacts = z.infer<typeof repeatFacts>;

/**
 * What the items of an addition have in common. `into` is the existing item that gets all photos; null for new items.
 * An addition with a `question` is carried out only if the person agrees, because items already have its photos.
 */
export const additionFacts = z.object({
  ...{ account: z.string(), at: z.int(), by: askerShape, wishes: generationWishes },
  into: z.string().nullable().default(null),
  question: repeatFacts.nullable().default(null),
});
export type AdditionFacts = z.infer<typeof additionFacts>;

export const assignPhotoId = (photo: z.infer<typeof newPhoto>): NewPhoto => ({
  ...photo,
  photoId: `ph_${randomUUID()}`,
});

/** Writing this many photos takes a few milliseconds. */
const maxPhotosPerPart = 200;

export const cutIntoPieces = (itemId: string, photos: NewItemPhotos['photos']): Piece[] =>
  cutIntoSlices(photos, maxPhotosPerPart).map((some) => ({ itemId, item: null, photos: some }));

export const cutItemIntoPieces = ({ photos, ...item }: NewItemPhotos): Piece[] => {
  const itemId = `it_${randomUUID()}`;
  const [first, ...others] = cutIntoPieces(itemId, photos);
  return [{ itemId, photos: [], ...first, item }, ...others];
};

/** Puts pieces together that can be written in one short transaction. */
export const packIntoParts = (pieces: readonly Piece[]): Piece[][] => {
  const parts: Piece[][] = [];
  let room = 0;
  for (const one of pieces) {
    const last = parts.at(-1);
    // An item without photos needs a row, too.
    const size = one.photos.length + 1;
    if (last === undefined || size > room) [parts[parts.length], room] = [[one], maxPhotosPerPart - size];
    else [room] = [room - size, last.push(one)];
  }
  return parts;
};
