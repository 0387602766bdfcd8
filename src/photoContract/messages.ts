import * as z from 'zod';
import { refusalCodes } from './refusals.ts';
import { barcodeDigits, maxLabelTextChars, photoWarnings, type PhotoWarning } from './constants.ts';

const px = z.number().int().positive();

const fraction = z.number().min(0).max(1);

const side = z.number().min(0.01).max(1);

const cropped = z
  .object({ left: fraction, top: fraction, width: side, height: side })
  .refine(({ left, top, width, height }) => left + width <= 1.000001 && top + height <= 1.000001, {
    message: 'The part to keep must lie inside the photo.',
  });

/**
 * The seller's edits, applied in this order to the upright photo: clockwise quarter turns, clockwise straightening,
 * crop in fractions of the picture, brightness.
 */
export const photoEdits = z.object({
  quarterTurns: z.union([z.literal(0), z.literal(1), z.literal(2), z.literal(3)]),
  straightenDeg: z.number().min(-15).max(15),
  crop: cropped.nullable(),
  brighten: z.number().min(-100).max(100),
});

export type PhotoEdits = z.infer<typeof photoEdits>;

/** A barcode might be misread, so the seller must confirm it. */
export const barcode = z.object({
  value: z.string().regex(barcodeDigits),
  format: z.enum(['EAN-13', 'EAN-8', 'UPC-A', 'UPC-E']),
});

export type Barcode = z.infer<typeof barcode>;

const barcodes = z.array(barcode).max(100);

export type BarcodeFormat = Barcode['format'];

export const warnings: Readonly<Record<PhotoWarning, string>> = {
  blurred: 'This photo looks blurred. A sharp one sells better.',
  very_dark: 'This photo is very dark. Brighten it, or take it again with more light.',
  very_bright: 'This photo is very bright and shows little detail. Take it again with less light.',
  small: 'This photo is under 500 pixels, so buyers cannot look closer. Use a larger one if there is one.',
};

/** `sharpness` is from 0 to about 300. `exposure` is the mean brightness from 0 to 255. */
export const photoQuality = z.object({ sharpness: z.number().nonnegative(), exposure: z.number().min(0).max(255) });
export type PhotoQuality = z.infer<typeof photoQuality>;

export const photoAnalysis = z.object({
  width: px,
  height: px,
  /** A perceptual hash. The hashes of copies of one photo differ in few bits. */
  hash64: z.string().regex(/^[0-9a-f]{16}$/),
  colours: z.string().regex(/^[0-9a-f]{128}$/),
  palette: z.string().regex(/^([0-9a-f]{10}){1,12}$/),
  looks: photoQuality,
  warnings: z.array(z.enum(photoWarnings)).max(photoWarnings.length),
  /** Whether the photo shows only a sheet of paper, which some sellers photograph between two items. */
  sheet: z.boolean(),
  barcodes,
  /** The texts of QR codes, Code 128 and Code 39, which could be the SKU of a label. */
  labelTexts: z.array(z.string().max(maxLabelTextChars)).max(100),
  /** `takenAt` is in ms since 1970. */
  original: z.object({ format: z.string().max(20), width: px, height: px, takenAt: z.int().positive().optional() }),
});
export type PhotoAnalysis = z.infer<typeof photoAnalysis>;

export const photoFormats = ['jpeg', 'webp'] as const;
export type PhotoFormat = (typeof photoFormats)[number];

const recipe = z.object({ longEdgePx: px, format: z.enum(photoFormats), edits: photoEdits });
export type PreparationOptions = z.infer<typeof recipe>;

const id = z.number().int().nonnegative();

export const photoJob = z.discriminatedUnion('type', [
  recipe.extend({ type: z.literal('prepare'), id }),
  recipe.omit({ edits: true }).extend({ type: z.literal('picture'), id }),
  z.object({ type: z.literal('thumbnail'), id, isWhole: z.boolean() }),
  z.object({ type: z.literal('barcodes'), id }),
]);
export type PhotoJob = z.infer<typeof photoJob>;

export type PhotoJobRequest = PhotoJob extends infer Job ? (Job extends PhotoJob ? Omit<Job, 'id'> : never) : never;

export const photoProcessInput = z.discriminatedUnion('type', [
  ...photoJob.options,
  z.object({ type: z.literal('cancel'), id }),
]);
export type PhotoProcessInput = z.infer<typeof photoProcessInput>;

const refused = z.object({ ok: z.literal(false), code: z.enum(refusalCodes) });

/** The pictures of a result are sent as bytes after the message: the picture, then its thumbnail. */
export const photoJobResult = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('prepared'),
    id,
    result: z.discriminatedUnion('ok', [z.object({ ok: z.literal(true), facts: photoAnalysis }), refused]),
  }),
  z.object({
    type: z.literal('picture'),
    id,
    result: z.discriminatedUnion('ok', [z.object({ ok: z.literal(true), width: px, height: px }), refused]),
  }),
  /** `made` is sent with the thumbnail. `whole` means that the whole file is needed. */
  z.object({ type: z.literal('thumbnail'), id, result: z.enum(['made', 'none', 'whole']) }),
  z.object({ type: z.literal('barcodes'), id, result: barcodes }),
]);
export type PhotoJobResult = z.infer<typeof photoJobResult>;

/**
 * `died`: the job's thread ended. `cancelled`: the job was cancelled. `stuck`: the job's thread did not end in time.
 */
export const photoProcessOutput = z.discriminatedUnion('type', [
  ...photoJobResult.options,
  z.object({ type: z.literal('died'), id }),
  z.object({ type: z.literal('cancelled'), id }),
  z.object({ type: z.literal('stuck'), id }),
]);
export type PhotoProcessOutput = z.infer<typeof photoProcessOutput>;
