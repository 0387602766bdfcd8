import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { limits } from '../../contract/index.ts';
import { headBytes, detectFormat } from '../../photoContract/detectFormat.ts';
import { problemText } from '../base/problem.ts';
import { NotPublic, type Outside } from '../service/outside.ts';
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

/** The photo cannot be had, for good or for now. */
export const unreadable = (why: 'broken' | 'away', status = 0, cause?: unknown): ServiceError =>
  new ServiceError({
    ...problemText(`PHOTOS_UNREADABLE.${why}`),
    effect: why === 'broken' ? 'refused' : 'unreached',
    status,
    cause,
  });

/**
 * Reads the photo behind an address whole, or hears that it is what it was. It is asked only where `outside` allows it. No
 * redirect is followed, no more than 30 MiB are taken, and the bytes say themselves what type of picture they are. Throws
 * `PHOTOS_UNREADABLE`.
 */
export const readPhoto = async (address: string, known: Validator | null, outside: Outside): Promise<PhotoRead> => {
  const url = outside.urlOf(address);
  if (url === null) throw unreadable('broken');
  const answer = await ask(url, known, outside);
  try {
    const { statusCode: status = 0, headers } = answer;
    if (status === 304 && known !== null && isOf(headers, known)) return 'unchanged';
    if (status !== 200) throw refused(status);
    const bytes = await bytesOf(answer);
    const contentType = await photoTypeOf(bytes);
    if (contentType === null) throw unreadable('broken');
    return { bytes, contentType, validator: validatorOf(headers) };
  } finally {
    answer.destroy();
  }
};

const headersOf = (known: Validator | null): Record<string, string> => ({
  accept: 'image/*',
  // Whoever keeps copies on the way asks the service as well; "no-cache" would have it send everything again.
  'cache-control': 'max-age=0',
  'accept-encoding': 'identity',
  ...(known?.etag
    ? { 'if-none-match': known.etag }
    : known?.lastModified
      ? { 'if-modified-since': known.lastModified }
      : {}),
});

/** Asks on a connection of its own, past what the environment says of proxies, which would resolve names themselves. */
const ask = (url: URL, known: Validator | null, outside: Outside): Promise<IncomingMessage> => {
  const { request } = process.getBuiltinModule(url.protocol === 'https:' ? 'node:https' : 'node:http');
  const lookup = outside.lookupOf(url);
  const signal = AbortSignal.timeout(waitMs);
  return new Promise((resolve, reject) => {
    request(url, { agent: false, headers: headersOf(known), signal, ...(lookup === undefined ? {} : { lookup }) })
      .once('response', resolve)
      .on('error', (cause) => reject(unreadable(cause instanceof NotPublic ? 'broken' : 'away', 0, cause)))
      .end();
  });
};

const refused = (status: number): ServiceError =>
  unreadable(status >= 500 || status === 429 ? 'away' : 'broken', status);

const bytesOf = async (answer: IncomingMessage): Promise<Buffer> => {
  const { 'content-length': length = 0, 'content-encoding': encoding = 'identity' } = answer.headers;
  // Nobody asked for a packed one, of which nobody knows how much it is.
  if (Number(length) > mostBytes || encoding !== 'identity') throw unreadable('broken');
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of answer as AsyncIterable<Buffer>) {
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
const isOf = ({ etag: named }: IncomingHttpHeaders, { etag }: Validator): boolean =>
  named === undefined || etag === null || named.replace(/^W\//, '') === etag;

/** Only what stands for the very bytes is a validator: a strong tag, or a time that was long past when it was told. */
const validatorOf = (headers: IncomingHttpHeaders): Validator => {
  const { etag, date = '', 'last-modified': lastModified = null } = headers;
  if (etag !== undefined) return { etag: /^"[^"]*"$/.test(etag) ? etag : null, lastModified: null };
  const settled = Date.parse(date) - Date.parse(lastModified ?? '') >= settledMs;
  return { etag: null, lastModified: settled ? lastModified : null };
};
