import type { KitchenJob, KitchenResult } from '../photoContract/messages.ts';

/** The start options of a thread: which build of sharp it loads. */
export type ThreadStart = { wasm: boolean };

/** Messages to a thread: a job with its original, or the permission to decode. */
export type ToThread = { type: 'job'; job: KitchenJob; original: Uint8Array } | { type: 'go'; id: number };

/** The result of a job, with its pictures. */
export type ThreadResult = { result: KitchenResult; pictures: Uint8Array[] };

/** Messages from a thread: a request for permission to decode a number of pixels, or a result with its pictures. */
export type FromThread = { type: 'weight'; id: number; pixels: number } | ({ type: 'result' } & ThreadResult);

const isObjectRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

/**
 * Whether a message of a thread is valid. The parent process validates the content of results; loading zod here would
 * take longer than some photos.
 */
export const isFromThread = (data: unknown): data is FromThread => {
  if (!isObjectRecord(data)) return false;
  const { type, id, pixels, result, pictures } = data;
  if (type === 'weight') return Number.isInteger(id) && typeof pixels === 'number' && pixels > 0;
  if (type !== 'result' || !isObjectRecord(result) || !Number.isInteger(result['id'])) return false;
  return Array.isArray(pictures) && pictures.every((picture) => picture instanceof Uint8Array);
};
