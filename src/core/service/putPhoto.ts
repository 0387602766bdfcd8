import type { Clock } from '../base/ports.ts';
import { createProblemText } from '../base/problem.ts';
import { sendHttpRequest, createIdleTimeout, UnansweredError } from './sendHttpRequest.ts';
import { NotPublicError, type OutboundPolicy } from './outboundPolicy.ts';
import { parseRetryAfter, ServiceError } from './serviceError.ts';

const pieceBytes = 64 * 1024;

export type PhotoUpload = {
  bytes: Buffer;
  contentType: string;
  uploadUrl: string;
  /** Receives the number of bytes sent. A retry starts at 0 again. */
  sent: (bytes: number) => void;
};

/** `secondTryMs` returns null if there must be no retry. */
type Parts = {
  clock: Clock;
  outside: OutboundPolicy;
  secondTryMs: (retryAfterS: number | undefined) => number | null;
};

/**
 * Uploads a prepared photo to its slot, without the service key. An upload is idempotent, so it is retried once. Throws
 * `ServiceError`.
 */
export const putPhoto = async (photo: PhotoUpload, parts: Parts, signal: AbortSignal): Promise<void> => {
  const { clock, secondTryMs } = parts;
  try {
    await putPhotoOnce(photo, parts, signal);
  } catch (error) {
    const waitMs = error instanceof ServiceError && error.effect !== 'refused' ? secondTryMs(error.retryAfterS) : null;
    if (waitMs === null) throw error;
    await clock.sleep(waitMs, signal);
    await putPhotoOnce(photo, parts, signal);
  }
};

const putPhotoOnce = async (photo: PhotoUpload, { clock, outside }: Parts, signal: AbortSignal): Promise<void> => {
  const url = outside.parseAllowedUrl(photo.uploadUrl);
  if (url === null) throw createAddressRefusal();
  try {
    const { status, headers } = await sendHttpRequest(await outside.openAgent(url), createIdleTimeout(clock), {
      method: 'PUT',
      url,
      // Photo stores refuse chunked bodies, so set the length.
      headers: { 'content-type': photo.contentType, 'content-length': String(photo.bytes.length) },
      body: streamPhotoPieces(photo),
      signal,
    });
    if (status < 200 || status > 299) throw toUploadRefusal(status, headers['retry-after']);
  } catch (cause) {
    signal.throwIfAborted();
    if (cause instanceof ServiceError) throw cause;
    if (cause instanceof UnansweredError && cause.cause instanceof NotPublicError) throw createAddressRefusal(cause);
    throw new ServiceError({ ...createProblemText('UPLOAD_FAILED'), effect: 'unclear', status: 0, cause });
  }
};

const streamPhotoPieces = async function* ({ bytes, sent }: PhotoUpload): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += pieceBytes) {
    sent(at);
    yield bytes.subarray(at, at + pieceBytes);
  }
  sent(bytes.length);
};

const toUploadRefusal = (status: number, retryAfter: string | string[] | undefined) =>
  new ServiceError({
    ...createProblemText(status >= 500 ? 'SERVICE_FAULT' : status === 429 ? 'TOO_MANY_REQUESTS' : 'UPLOAD_REFUSED'),
    effect: status >= 500 ? 'unclear' : 'refused',
    status,
    retryAfterS: parseRetryAfter(typeof retryAfter === 'string' ? retryAfter : undefined),
  });

const createAddressRefusal = (cause?: unknown): ServiceError =>
  new ServiceError({ ...createProblemText('UPLOAD_ADDRESS'), effect: 'refused', status: 0, cause });
