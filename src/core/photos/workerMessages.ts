import * as z from 'zod';
import { original, pictureJob, prepareJob } from './prepareJob.ts';
import { preparedPhoto, preparedPicture } from './preparedPhoto.ts';
import { barcode } from '../storage/tables/photoRecord.ts';

/** What a photo worker is started with: which build of sharp it loads, as it cannot know where it runs. */
export const workerStart = z.object({ wasm: z.boolean() });
export type WorkerStart = z.infer<typeof workerStart>;

const id = z.number().int().nonnegative();

/** To a worker: a job, and the permission to decode that it asked for. */
export const toWorker = z.discriminatedUnion('type', [
  prepareJob.extend({ type: z.literal('prepare'), id }),
  pictureJob.extend({ type: z.literal('picture'), id }),
  original.extend({ type: z.literal('barcodes'), id }),
  original.extend({ type: z.literal('glance'), id, outDir: z.string() }),
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
  z.object({ type: z.literal('glanced'), id, result: z.object({ thumbPath: z.string() }).nullable() }),
]);
export type FromWorker = z.infer<typeof fromWorker>;
export type WorkerResult = Exclude<FromWorker, { type: 'weight' }>;
