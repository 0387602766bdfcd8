import * as z from 'zod';
import { photoFormats } from './encode.ts';
import { photoEdits, barcode, photoWarnings } from '../../storage/tables/itemRecord.ts';
import { photoQuality } from './quality.ts';
import { refusalCodes } from './refusals.ts';

/** Long edge of an upload-ready photo, in pixels, unless the job says otherwise. */
export const defaultLongEdgePx = 1600;

/** An original by its path, and the real path of what it was given with; null or nothing for the companion's own copies. */
const original = z.object({ source: z.string(), root: z.string().nullish() });

/** One original to prepare: the folder for the results, their long edge in pixels, their format, and edits. */
const prepareJob = original.extend({
  outDir: z.string(),
  longEdgePx: z.number().int().positive().optional(),
  format: z.enum(photoFormats).optional(),
  edits: photoEdits.optional(),
});
export type PrepareJob = z.infer<typeof prepareJob>;

/** One original of which only the upload-ready picture is wanted, and the file that it goes to. */
const pictureJob = prepareJob.omit({ outDir: true, edits: true }).extend({ path: z.string() });
export type PictureJob = z.infer<typeof pictureJob>;

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
  looks: photoQuality,
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
const preparedPhoto = z.discriminatedUnion('ok', [ready, refused]);
export type PreparedPhoto = z.infer<typeof preparedPhoto>;

/** What becomes of one original of which only the picture is wanted. Sizes in pixels and bytes. */
const preparedPicture = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), width: px, height: px, bytes: px }),
  refused,
]);
export type PreparedPicture = z.infer<typeof preparedPicture>;
export type ReadyPhoto = z.infer<typeof ready>;

/** What a photo worker is started with: which build of sharp it loads, as it cannot know where it runs. */
export const workerStart = z.object({ wasm: z.boolean() });
export type WorkerStart = z.infer<typeof workerStart>;

const id = z.number().int().nonnegative();

/** To a worker: a job, and the permission to decode that it asked for. */
export const toWorker = z.discriminatedUnion('type', [
  prepareJob.extend({ type: z.literal('prepare'), id }),
  pictureJob.extend({ type: z.literal('picture'), id }),
  original.extend({ type: z.literal('barcodes'), id }),
  original.extend({ type: z.literal('thumbnail'), id, outDir: z.string() }),
  z.object({ type: z.literal('go'), id }),
]);
export type ToWorker = z.infer<typeof toWorker>;
export type WorkerJob = Exclude<ToWorker, { type: 'go' }>;

/** From a worker: "I am about to decode this many pixels, may I?", and results. */
export const fromWorker = z.discriminatedUnion('type', [
  z.object({ type: z.literal('weight'), id, pixels: z.number().positive() }),
  z.object({ type: z.literal('prepared'), id, result: preparedPhoto }),
  z.object({ type: z.literal('picture'), id, result: preparedPicture }),
  z.object({ type: z.literal('barcodes'), id, result: z.array(barcode) }),
  z.object({ type: z.literal('thumbnail'), id, result: z.object({ thumbPath: z.string() }).nullable() }),
]);
export type FromWorker = z.infer<typeof fromWorker>;
export type WorkerResult = Exclude<FromWorker, { type: 'weight' }>;
