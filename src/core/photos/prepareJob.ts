import * as z from 'zod';
import { photoEdits } from './edits.ts';
import { photoFormats } from './encode.ts';

/** Long edge of an upload-ready photo, in pixels, unless the job says otherwise. */
export const defaultLongEdgePx = 1600;

/** One original to prepare: its path, the folder for the results, their long edge in pixels, their format, and edits. */
export const prepareJob = z.object({
  source: z.string(),
  outDir: z.string(),
  longEdgePx: z.number().int().positive().optional(),
  format: z.enum(photoFormats).optional(),
  edits: photoEdits.optional(),
});
export type PrepareJob = z.infer<typeof prepareJob>;

/** One original of which only the upload-ready picture is wanted, and the file that it goes to. */
export const pictureJob = prepareJob.omit({ outDir: true, edits: true }).extend({ path: z.string() });
export type PictureJob = z.infer<typeof pictureJob>;
