import type { KitchenJob, KitchenResult } from '../photoContract/messages.ts';

/** What a thread is started with: which build of sharp it loads. */
export type ThreadStart = { wasm: boolean };

/** To a thread: a job with its original, and the permission to decode that it asked for. */
export type ToThread = { type: 'job'; job: KitchenJob; original: Uint8Array } | { type: 'go'; id: number };

/** What came of a job, with the pictures that belong to it. */
export type Made = { result: KitchenResult; pictures: Uint8Array[] };

/** From a thread: "I am about to decode this many pixels, may I?", and results with their pictures. */
export type FromThread = { type: 'weight'; id: number; pixels: number } | ({ type: 'result' } & Made);

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/**
 * Whether a thread says something that it may say. What is in a result is looked at where it counts, by whoever started
 * this process; here that would load a library of schemas for it, which takes longer than some photos.
 */
export const isFromThread = (data: unknown): data is FromThread => {
  if (!isObject(data)) return false;
  const { type, id, pixels, result, pictures } = data;
  if (type === 'weight') return Number.isInteger(id) && typeof pixels === 'number' && pixels > 0;
  if (type !== 'result' || !isObject(result) || !Number.isInteger(result['id'])) return false;
  return Array.isArray(pictures) && pictures.every((picture) => picture instanceof Uint8Array);
};
