import { limits } from '../../contract/index.ts';
import { headBytes, detectFormat } from '../../photoContract/detectFormat.ts';
import { problemText } from '../base/problem.ts';
import { ServiceError } from '../service/serviceError.ts';

type PhotoType = (typeof limits.photoTypes)[number];

/** The content type of bytes that the service takes as a photo, told from the bytes alone; null for any others. */
export const photoTypeOf = async (bytes: Uint8Array): Promise<PhotoType | null> => {
  const format = await detectFormat(bytes.subarray(0, headBytes));
  return limits.photoTypes.find((type) => type === `image/${format}`) ?? null;
};

/** By what a server tells whether the bytes behind an address are still the same. */
export type Validator = { etag: string | null; lastModified: string | null };
/** What is behind an address now. `unchanged` is answered only to a validator that was given. */
export type PhotoRead = 'unchanged' | { bytes: Buffer; contentType: string; validator: Validator };

/** No photo of a listing has more bytes. */
const mostBytes = 30 * 1024 * 1024;
const waitMs = 20_000;
/** A time in whole seconds tells nothing of two changes within one; after a minute it does. */
const settledMs = 60_000;

/** A picture's address is data of the service: only https, or the service itself, is ever asked. */
export const isPublicAddress = (text: string, serviceOrigin: string): boolean => {
  const url = URL.canParse(text) ? new URL(text) : null;
  return url !== null && (url.protocol === 'https:' || url.origin === serviceOrigin);
};

/** The photo cannot be had, for good or for now. */
export const unreadable = (why: 'broken' | 'away', status = 0, cause?: unknown): ServiceError =>
  new ServiceError({
    ...problemText(`PHOTOS_UNREADABLE.${why}`),
    effect: why === 'broken' ? 'refused' : 'unreached',
    status,
    cause,
  });

/**
 * Reads the photo behind a public address whole, or hears that it is what it was. No redirect is followed, no more than
 * 30 MiB are taken, and the bytes say themselves what type of picture they are. Throws `PHOTOS_UNREADABLE`.
 */
export const readPhoto = async (url: string, known: Validator | null): Promise<PhotoRead> => {
  const response = await ask(url, known);
  try {
    if (response.status === 304 && known !== null && isOf(response, known)) return 'unchanged';
    if (response.status !== 200) throw refused(response.status);
    const bytes = await bytesOf(response);
    const contentType = await photoTypeOf(bytes);
    if (contentType === null) throw unreadable('broken');
    return { bytes, contentType, validator: validatorOf(response.headers) };
  } finally {
    if (!response.bodyUsed) await response.body?.cancel().catch(() => undefined);
  }
};

const ask = async (url: string, known: Validator | null): Promise<Response> => {
  // Whoever keeps copies on the way asks the service as well; "no-cache" would have it send everything again.
  const headers = new Headers({ accept: 'image/*', 'cache-control': 'max-age=0' });
  if (known?.etag) headers.set('if-none-match', known.etag);
  else if (known?.lastModified) headers.set('if-modified-since', known.lastModified);
  try {
    return await fetch(url, { headers, redirect: 'error', signal: AbortSignal.timeout(waitMs) });
  } catch (cause) {
    throw unreadable('away', 0, cause);
  }
};

const refused = (status: number): ServiceError =>
  unreadable(status >= 500 || status === 429 ? 'away' : 'broken', status);

const bytesOf = async (response: Response): Promise<Buffer> => {
  if (Number(response.headers.get('content-length') ?? 0) > mostBytes) throw unreadable('broken');
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const chunk of response.body ?? []) {
      bytes += chunk.length;
      if (bytes > mostBytes) break;
      chunks.push(chunk);
    }
  } catch (cause) {
    throw unreadable('away', 0, cause);
  }
  if (bytes > mostBytes) throw unreadable('broken');
  return Buffer.concat(chunks);
};

/** A 304 that names another validator is about other bytes than those we have. */
const isOf = ({ headers }: Response, { etag }: Validator): boolean => {
  const named = headers.get('etag');
  return named === null || etag === null || named.replace(/^W\//, '') === etag;
};

/** Only what stands for the very bytes is a validator: a strong tag, or a time that was long past when it was told. */
const validatorOf = (headers: Headers): Validator => {
  const etag = headers.get('etag');
  if (etag !== null) return { etag: /^"[^"]*"$/.test(etag) ? etag : null, lastModified: null };
  const lastModified = headers.get('last-modified');
  const settled = Date.parse(headers.get('date') ?? '') - Date.parse(lastModified ?? '') >= settledMs;
  return { etag: null, lastModified: settled ? lastModified : null };
};
