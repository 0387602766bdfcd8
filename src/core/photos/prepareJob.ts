import * as z from 'zod';
import { photoFormats } from './encode.ts';
import { photoEdits } from '../storage/tables/photoRecord.ts';

/** Long edge of an upload-ready photo, in pixels, unless the job says otherwise. */
export const defaultLongEdgePx = 1600;

/** An original by its path, and the real path of what it was given with; null or nothing for the companion's own copies. */
export const original = z.object({ source: z.string(), root: z.string().nullish() });

/** One original to prepare: the folder for the results, their long edge in pixels, their format, and edits. */
export const prepareJob = original.extend({
  outDir: z.string(),
  longEdgePx: z.number().int().positive().optional(),
  format: z.enum(photoFormats).optional(),
  edits: photoEdits.optional(),
});
export type PrepareJob = z.infer<typeof prepareJob>;

/** One original of which only the upload-ready picture is wanted, and the file that it goes to. */
export const pictureJob = prepareJob.omit({ outDir: true, edits: true }).extend({ path: z.string() });
export type PictureJob = z.infer<typeof pictureJob>;
