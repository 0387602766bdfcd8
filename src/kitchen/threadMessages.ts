import type { PhotoJob, PhotoJobResult } from '../photoContract/messages.ts';

export type ToThread =
  { type: 'job'; job: PhotoJob; original: Uint8Array<ArrayBuffer>; isAlone: boolean } | { type: 'go'; id: number };

export type ThreadResult = { result: PhotoJobResult; pictures: Uint8Array[] };

/** A photo that was not decoded and has to be decoded while no other photo is in work. */
export type ReturnedJob = { id: number; original: Uint8Array<ArrayBuffer> };

export type FromThread =
  | { type: 'weight'; id: number; pixels: number }
  | ({ type: 'returned' } & ReturnedJob)
  | ({ type: 'result' } & ThreadResult);

const isObjectRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

/**
 * Returns whether a message from a thread is valid. The content of results is checked by the parent process, because
 * loading zod here would take longer than some photos.
 */
export const isThreadMessage = (data: unknown): data is FromThread => {
  if (!isObjectRecord(data)) return false;
  const { type, id, pixels, result, pictures, original } = data;
  if (type === 'weight') return Number.isInteger(id) && typeof pixels === 'number' && pixels > 0;
  if (type === 'returned') return Number.isInteger(id) && original instanceof Uint8Array;
  if (type !== 'result' || !isObjectRecord(result) || !Number.isInteger(result['id'])) return false;
  return Array.isArray(pictures) && pictures.every((picture) => picture instanceof Uint8Array);
};
