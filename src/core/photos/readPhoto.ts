import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { limits } from '../../contract/index.ts';
import { headBytes, detectFormat } from '../../photoContract/detectFormat.ts';
import { createProblemText } from '../base/problem.ts';
import { NotPublicError, type OutboundPolicy } from '../service/outboundPolicy.ts';
import { ServiceError } from '../service/serviceError.ts';

type PhotoType = (typeof limits.photoTypes)[number];

/** Detects the photo type from the bytes; null if the service does not accept this type. */
export const detectPhotoType = async (bytes: Uint8Array): Promise<PhotoType | null> => {
  const format = await detectFormat(bytes.subarray(0, headBytes));
  return limits.photoTypes.find((type) => type === `image/${format}`) ?? null;
};

export type Validator = { etag: string | null; lastModified: string | null };
/** `unchanged` is returned only if a validator was sent. */
export type PhotoRead = 'unchanged' | { bytes: Buffer; contentType: string; validator: Validator };

const maxBytes = 30 * 1024 * 1024;
const requestTimeoutMs = 20_000;
/**
 * `Last-Modified` has whole seconds, so two changes within one second get equal values. The value counts as reliable
 * when it is at least a minute old.
 */
const reliableAgeMs = 60_000;

/** Creates the error for an unreadable photo. `broken` is permanent and `away` is transient. */
export const createUnreadablePhotoError = (why: 'broken' | 'away', status = 0, cause?: unknown): ServiceError =>
  new ServiceError({
    ...createProblemText(`PHOTOS_UNREADABLE.${why}`),
    effect: why === 'broken' ? 'refused' : 'unreached',
    status,
    cause,
  });

/**
 * Downloads a photo. Only URLs that `outside` allows are requested, and redirects are not followed. Throws
 * `PHOTOS_UNREADABLE`.
 */
export const readPhotoFromUrl = async (
  address: string,
  known: Validator | null,
  outside: OutboundPolicy,
): Promise<PhotoRead> => {
  const url = outside.parseAllowedUrl(address);
  if (url === null) throw createUnreadablePhotoError('broken');
  const answer = await sendPhotoRequest(url, known, outside);
  try {
    const { statusCode: status = 0, headers } = answer;
    if (status === 304 && known !== null && matchesValidator(headers, known)) return 'unchanged';
    if (status !== 200) throw createStatusError(status);
    const bytes = await readLimitedBody(answer);
    const contentType = await detectPhotoType(bytes);
    if (contentType === null) throw createUnreadablePhotoError('broken');
    return { bytes, contentType, validator: parseStrongValidator(headers) };
  } finally {
    answer.destroy();
  }
};

const buildRequestHeaders = (known: Validator | null): Record<string, string> => ({
  accept: 'image/*',
  // Caches must revalidate. With "no-cache" they would send the whole photo again.
  'cache-control': 'max-age=0',
  'accept-encoding': 'identity',
  ...(known?.etag
    ? { 'if-none-match': known.etag }
    : known?.lastModified
      ? { 'if-modified-since': known.lastModified }
      : {}),
});

/** Proxy settings are ignored, because a proxy resolves host names itself and could reach the local network. */
const sendPhotoRequest = (url: URL, known: Validator | null, outside: OutboundPolicy): Promise<IncomingMessage> => {
  const { request } = process.getBuiltinModule(url.protocol === 'https:' ? 'node:https' : 'node:http');
  const lookup = outside.findLookup(url);
  const signal = AbortSignal.timeout(requestTimeoutMs);
  return new Promise((resolve, reject) => {
    request(url, {
      agent: false,
      headers: buildRequestHeaders(known),
      signal,
      ...(lookup === undefined ? {} : { lookup }),
    })
      .once('response', resolve)
      .on('error', (cause) =>
        reject(createUnreadablePhotoError(cause instanceof NotPublicError ? 'broken' : 'away', 0, cause)),
      )
      .end();
  });
};

const createStatusError = (status: number): ServiceError =>
  createUnreadablePhotoError(status >= 500 || status === 429 ? 'away' : 'broken', status);

const readLimitedBody = async (answer: IncomingMessage): Promise<Buffer> => {
  const { 'content-length': length = 0, 'content-encoding': encoding = 'identity' } = answer.headers;
  // A compressed body was not requested, and its unpacked size would be unknown.
  if (Number(length) > maxBytes || encoding !== 'identity') throw createUnreadablePhotoError('broken');
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > maxBytes) break;
      chunks.push(chunk);
    }
  } catch (cause) {
    throw createUnreadablePhotoError('away', 0, cause);
  }
  if (bytes > maxBytes) throw createUnreadablePhotoError('broken');
  return Buffer.concat(chunks);
};

/** A 304 with another ETag is about other bytes than the stored ones. */
const matchesValidator = ({ etag: named }: IncomingHttpHeaders, { etag }: Validator): boolean =>
  named === undefined || etag === null || named.replace(/^W\//, '') === etag;

/** Returns a validator only if it identifies the exact bytes. A weak ETag or a recent time does not. */
const parseStrongValidator = (headers: IncomingHttpHeaders): Validator => {
  const { etag, date = '', 'last-modified': lastModified = null } = headers;
  if (etag !== undefined) return { etag: /^"[^"]*"$/.test(etag) ? etag : null, lastModified: null };
  const settled = Date.parse(date) - Date.parse(lastModified ?? '') >= reliableAgeMs;
  return { etag: null, lastModified: settled ? lastModified : null };
};
