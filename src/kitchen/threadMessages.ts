import * as z from 'zod';
import { kitchenJob, kitchenResult, type KitchenResult } from '../photoContract/messages.ts';

/** What a thread is started with: which build of sharp it loads. */
export const threadStart = z.object({ wasm: z.boolean() });
export type ThreadStart = z.infer<typeof threadStart>;

const bytes = z.custom<Uint8Array>((value) => value instanceof Uint8Array);
const id = z.number().int().nonnegative();

/** To a thread: a job with its original, and the permission to decode that it asked for. */
export const toThread = z.discriminatedUnion('type', [
  z.object({ type: z.literal('job'), job: kitchenJob, original: bytes }),
  z.object({ type: z.literal('go'), id }),
]);
export type ToThread = z.infer<typeof toThread>;

/** From a thread: "I am about to decode this many pixels, may I?", and results with their pictures. */
export const fromThread = z.discriminatedUnion('type', [
  z.object({ type: z.literal('weight'), id, pixels: z.number().positive() }),
  z.object({ type: z.literal('result'), result: kitchenResult, pictures: z.array(bytes) }),
]);
export type FromThread = z.infer<typeof fromThread>;

/** What came of a job, with the pictures that belong to it. */
export type Made = { result: KitchenResult; pictures: Uint8Array[] };
