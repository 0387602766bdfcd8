import * as z from 'zod';

/** A product's number as its barcode tells it: digits only. It may be misread, so the seller confirms it. */
export const barcode = z.object({
  value: z.string().regex(/^\d{8,13}$/),
  format: z.enum(['EAN-13', 'EAN-8', 'UPC-A', 'UPC-E']),
});

export type Barcode = z.infer<typeof barcode>;

export type BarcodeFormat = Barcode['format'];

/** What is worth a word about a photo that can be used but could be better. */
export const photoWarnings = ['blurred', 'very_dark', 'very_bright', 'small'] as const;
export type PhotoWarning = (typeof photoWarnings)[number];

/** What each warning says; windows have their own words for it. */
export const warnings: Readonly<Record<PhotoWarning, string>> = {
  blurred: 'This photo looks blurred. A sharp one sells better.',
  very_dark: 'This photo is very dark. Brighten it, or take it again with more light.',
  very_bright: 'This photo is very bright and shows little detail. Take it again with less light.',
  small: 'This photo is under 500 pixels, so buyers cannot look closer. Use a larger one if there is one.',
};

const px = z.number().int().positive();

/** Numbers about how a photo looks: `sharpness` from 0 (blurred) to about 300; `exposure` is the mean brightness, 0 to 255. */
export const photoQuality = z.object({ sharpness: z.number().nonnegative(), exposure: z.number().min(0).max(255) });
export type PhotoQuality = z.infer<typeof photoQuality>;

/** What pixels tell of a photo. Sizes in pixels, upright. */
export const seenFacts = z.object({
  width: px,
  height: px,
  /** What it looks like, to find copies; see differenceHash. */
  hash64: z.string().regex(/^[0-9a-f]{16}$/),
  looks: photoQuality,
  warnings: z.array(z.enum(photoWarnings)),
  /** Whether it shows little but a sheet of paper, as sellers put between two items. */
  sheet: z.boolean(),
  barcodes: z.array(barcode),
  /** The file that the photo was made from; `takenAt` in ms since 1970. */
  original: z.object({ format: z.string(), width: px, height: px, takenAt: z.number().optional() }),
});
export type SeenFacts = z.infer<typeof seenFacts>;
