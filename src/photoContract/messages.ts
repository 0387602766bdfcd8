import * as z from 'zod';
import { photoEdits } from './photoEdits.ts';
import { barcode, seenFacts } from './photoFindings.ts';
import { refusalCodes } from './refusals.ts';

/** Kinds of file a photo may be uploaded as. */
export const photoFormats = ['jpeg', 'webp'] as const;
export type PhotoFormat = (typeof photoFormats)[number];

/** Quality of what is uploaded, for both formats. */
export const quality = 82;

/** EXIF, with its small picture, lies at the start of a file; 256 KB hold it with room for a colour profile. */
export const thumbnailHeadBytes = 256 * 1024;

const px = z.number().int().positive();
const recipe = z.object({ longEdgePx: px, format: z.enum(photoFormats), edits: photoEdits });
/** How an original is prepared: long edge in pixels, format, edits. */
export type Recipe = z.infer<typeof recipe>;

const id = z.number().int().nonnegative();

/**
 * What is asked for, each with the bytes of one original beside it: all that an upload needs, the picture alone, a small
 * picture quickly (from the start of the file, or from all of it), or the barcodes that can be read at full size.
 */
export const kitchenJob = z.discriminatedUnion('type', [
  recipe.extend({ type: z.literal('prepare'), id }),
  recipe.omit({ edits: true }).extend({ type: z.literal('picture'), id }),
  z.object({ type: z.literal('thumbnail'), id, isWhole: z.boolean() }),
  z.object({ type: z.literal('barcodes'), id }),
]);
export type KitchenJob = z.infer<typeof kitchenJob>;

/** A job as it is asked for; its number is given on the way. */
export type KitchenRequest = KitchenJob extends infer Job ? (Job extends KitchenJob ? Omit<Job, 'id'> : never) : never;

/** To the kitchen: a job, or that one is not wanted any more. */
export const toKitchen = z.discriminatedUnion('type', [
  ...kitchenJob.options,
  z.object({ type: z.literal('cancel'), id }),
]);
export type ToKitchen = z.infer<typeof toKitchen>;

const refused = z.object({ ok: z.literal(false), code: z.enum(refusalCodes) });

/** What came of a job. Pictures lie beside it as bytes, in the order in which they are named here. */
export const kitchenResult = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('prepared'),
    id,
    /** With the picture and its thumbnail. */
    result: z.discriminatedUnion('ok', [z.object({ ok: z.literal(true), facts: seenFacts }), refused]),
  }),
  z.object({
    type: z.literal('picture'),
    id,
    /** With the picture. */
    result: z.discriminatedUnion('ok', [z.object({ ok: z.literal(true), width: px, height: px }), refused]),
  }),
  /** `made` comes with the small picture; `whole` says that it takes all of the file to make one. */
  z.object({ type: z.literal('thumbnail'), id, result: z.enum(['made', 'none', 'whole']) }),
  z.object({ type: z.literal('barcodes'), id, result: z.array(barcode) }),
]);
export type KitchenResult = z.infer<typeof kitchenResult>;

/**
 * From the kitchen: a result, or what became of a job that has none. `died`: its thread ended, and nothing of it is left;
 * `cancelled`: the same, as was wished; `stuck`: its thread should have ended and has not.
 */
export const fromKitchen = z.discriminatedUnion('type', [
  ...kitchenResult.options,
  z.object({ type: z.literal('died'), id }),
  z.object({ type: z.literal('cancelled'), id }),
  z.object({ type: z.literal('stuck'), id }),
]);
export type FromKitchen = z.infer<typeof fromKitchen>;
