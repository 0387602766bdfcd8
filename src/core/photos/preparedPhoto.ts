import * as z from 'zod';
import type { PhotoEdits } from '../../photoContract/photoEdits.ts';
import type { Original } from './openInside.ts';
import type { PhotoFormat } from '../../photoContract/messages.ts';
import { seenFacts } from '../../photoContract/photoFindings.ts';
import type { Refusal } from '../../photoContract/refusals.ts';

/** Long edge of an upload-ready photo, in pixels, unless the job says otherwise. */
export const defaultLongEdgePx = 1600;

/** One original to prepare: the folder for the results, their long edge in pixels, their format, and edits. */
export type PrepareJob = Original & {
  outDir: string;
  longEdgePx?: number | undefined;
  format?: PhotoFormat | undefined;
  edits?: PhotoEdits | undefined;
};

/** One original of which only the upload-ready picture is wanted, and the file that it goes to. */
export type PictureJob = Omit<PrepareJob, 'outDir' | 'edits'> & { path: string };

/** One original to show at once: its path, and the folder for the small picture. */
export type ThumbnailJob = Original & { outDir: string };

/** What is known about a prepared photo; kept in a small file beside it, so that it is not decoded to be known. */
export const photoFacts = seenFacts.extend({
  bytes: z.number().int().positive(),
  /** Of the prepared bytes, in hex. */
  sha256: z.string(),
  original: seenFacts.shape.original.extend({ sha256: z.string() }),
});
export type PhotoFacts = z.infer<typeof photoFacts>;

/** An upload-ready picture on disk, with its thumbnail. */
export type ReadyPhoto = PhotoFacts & {
  ok: true;
  path: string;
  thumbPath: string;
  contentType: 'image/jpeg' | 'image/webp';
};

/** What becomes of one original: an upload-ready picture on disk, or a refusal the seller can read. */
export type PreparedPhoto = ReadyPhoto | Refusal;

/** What becomes of one original of which only the picture is wanted. Sizes in pixels and bytes. */
export type PreparedPicture = { ok: true; width: number; height: number; bytes: number } | Refusal;
