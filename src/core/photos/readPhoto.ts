import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { limits } from '../../contract/index.ts';
import { headBytes, detectFormat } from '../../photoContract/detectFormat.ts';
import { problemText } from '../base/problem.ts';
import { NotPublic, type Outside } from '../service/outside.ts';
import { ServiceError } from '../service/serviceError.ts';

type PhotoType = (typeof limits.photoTypes)[number];

/** Returns the content type of bytes that the service accepts as a photo, detected from the bytes; null for others. */
export const photoTypeOf = async (bytes: Uint8Array): Promise<PhotoType | null> => {
  const format = await detectFormat(bytes.subarray(0, headBytes));
  return limits.photoTypes.find((type) => type === `image/${format}`) ?? null;
};

/** The HTTP validators of a response, for conditional requests. */
export type Validator = { etag: string | null; lastModified: string | null };
/** The photo behind a URL. `unchanged` only if a validator was given. */
export type PhotoRead = 'unchanged' | { bytes: Buffer; contentType: string; validator: Validator };

/** The maximum size of a listing's photo. */
const mostBytes = 30 * 1024 * 1024;
const waitMs = 20_000;
/**
 * A Last-Modified time in whole seconds misses a second change within the same second. After a minute it is reliable.
 */
const settledMs = 60_000;

/** Creates the error for an unreadable photo: `broken` is permanent, `away` is transient. */
export const unreadable = (why: 'broken' | 'away', status = 0, cause?: unknown): ServiceError =>
  new ServiceError({
    ...problemText(`PHOTOS_UNREADABLE.${why}`),
    effect: why === 'broken' ? 'refused' : 'unreached',
    status,
    cause,
  });

/**
 * Reads the photo behind a URL, or returns `unchanged`. Only URLs allowed by `outside` are requested. Follows no
 * redirects, reads at most 30 MiB and detects the type from the bytes. Throws `PHOTOS_UNREADABLE`.
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
  // Makes caches revalidate; "no-cache" would make them transfer everything again.
  'cache-control': 'max-age=0',
  'accept-encoding': 'identity',
  ...(known?.etag
    ? { 'if-none-match': known.etag }
    : known?.lastModified
      ? { 'if-modified-since': known.lastModified }
      : {}),
});

/** Uses its own connection and ignores proxy settings, because a proxy would resolve host names itself. */
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
  // A compressed body was not requested, and its unpacked size would be unknown.
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

/** A 304 with another ETag is about other bytes than ours. */
const isOf = ({ etag: named }: IncomingHttpHeaders, { etag }: Validator): boolean =>
  named === undefined || etag === null || named.replace(/^W\//, '') === etag;

/** Returns the validator if it identifies the exact bytes: a strong ETag, or a time well before the response. */
const validatorOf = (headers: IncomingHttpHeaders): Validator => {
  const { etag, date = '', 'last-modified': lastModified = null } = headers;
  if (etag !== undefined) return { etag: /^"[^"]*"$/.test(etag) ? etag : null, lastModified: null };
  const settled = Date.parse(date) - Date.parse(lastModified ?? '') >= settledMs;
  return { etag: null, lastModified: settled ? lastModified : null };
};
