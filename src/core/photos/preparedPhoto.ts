import * as z from 'zod';
import { photoLooks } from './looks.ts';
import { refusalCodes } from './refusals.ts';
import { barcode, photoWarnings } from '../storage/tables/photoRecord.ts';

const px = z.number().int().positive();

/** Facts about the file the photo was made from. Sizes in pixels, upright; `takenAt` in ms since 1970. */
export const originalFacts = z.object({
  format: z.string(),
  width: px,
  height: px,
  sha256: z.string(),
  takenAt: z.number().optional(),
});

/** What is known about a prepared photo; kept in a small file beside it, so that it is not decoded to be known. */
export const photoFacts = z.object({
  width: px,
  height: px,
  bytes: px,
  /** Of the prepared bytes, in hex. */
  sha256: z.string(),
  /** What it looks like, to find copies; see differenceHash. */
  hash64: z.string().regex(/^[0-9a-f]{16}$/),
  looks: photoLooks,
  warnings: z.array(z.enum(photoWarnings)),
  /** Whether it shows little but a sheet of paper, as sellers put between two items. */
  sheet: z.boolean(),
  barcodes: z.array(barcode),
  original: originalFacts,
});
export type PhotoFacts = z.infer<typeof photoFacts>;

const ready = photoFacts.extend({
  ok: z.literal(true),
  path: z.string(),
  thumbPath: z.string(),
  contentType: z.enum(['image/jpeg', 'image/webp']),
});

const refused = z.object({ ok: z.literal(false), code: z.enum(refusalCodes), sentence: z.string() });

/** What becomes of one original: an upload-ready picture on disk, or a refusal the seller can read. */
export const preparedPhoto = z.discriminatedUnion('ok', [ready, refused]);
export type PreparedPhoto = z.infer<typeof preparedPhoto>;

/** What becomes of one original of which only the picture is wanted. Sizes in pixels and bytes. */
export const preparedPicture = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), width: px, height: px, bytes: px }),
  refused,
]);
export type PreparedPicture = z.infer<typeof preparedPicture>;
export type ReadyPhoto = z.infer<typeof ready>;
