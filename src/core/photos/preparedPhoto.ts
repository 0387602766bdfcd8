import * as z from 'zod';
import { refusalCodes } from './refusals.ts';

/** Facts about the file the photo was made from. Sizes in pixels, upright; `takenAt` in ms since 1970. */
export const originalFacts = z.object({
  format: z.string(),
  width: z.number().int().positive(),
  height: z.number().int().positive(),
  sha256: z.string(),
  takenAt: z.number().optional(),
});

const ready = z.object({
  ok: z.literal(true),
  path: z.string(),
  thumbPath: z.string(),
  contentType: z.literal('image/jpeg'),
  width: z.number().int().positive(),
  height: z.number().int().positive(),
  bytes: z.number().int().positive(),
  /** Of the prepared bytes, in hex. */
  sha256: z.string(),
  original: originalFacts,
});

const refused = z.object({ ok: z.literal(false), code: z.enum(refusalCodes), sentence: z.string() });

/** What becomes of one original: an upload-ready JPEG on disk, or a refusal the seller can read. */
export const preparedPhoto = z.discriminatedUnion('ok', [ready, refused]);
export type PreparedPhoto = z.infer<typeof preparedPhoto>;
export type ReadyPhoto = z.infer<typeof ready>;

/** The small file beside a prepared photo that tells what it is, so that it is not decoded to be known. */
export const preparedNote = z.object({
  width: z.number().int().positive(),
  height: z.number().int().positive(),
  bytes: z.number().int().positive(),
  sha256: z.string(),
  original: originalFacts,
});
export type PreparedNote = z.infer<typeof preparedNote>;
