import type { Clock } from '../base/ports.ts';
import { problemText } from '../base/problem.ts';
import { exchange, createIdleTimeout, Unanswered } from './exchange.ts';
import { NotPublic, type Outside } from './outside.ts';
import { secondsOf, ServiceError } from './serviceError.ts';

const pieceBytes = 64 * 1024;

export type PhotoPut = {
  bytes: Buffer;
  contentType: string;
  uploadUrl: string;
  /** Reports the number of bytes sent, from 0; a retry starts at 0 again. */
  sent: (bytes: number) => void;
};

/** `secondTryMs` returns the delay before the retry; null for no retry. */
type Parts = {
  clock: Clock;
  outside: Outside;
  secondTryMs: (retryAfterS: number | undefined) => number | null;
};

/**
 * Uploads a prepared photo to its slot, with the content type that the slot was requested for. The upload is
 * idempotent, so one network or store failure is retried. The service key is never sent there.
 */
export const putPhoto = async (photo: PhotoPut, parts: Parts, signal: AbortSignal): Promise<void> => {
  const { clock, secondTryMs } = parts;
  try {
    await put(photo, parts, signal);
  } catch (error) {
    const waitMs = error instanceof ServiceError && error.effect !== 'refused' ? secondTryMs(error.retryAfterS) : null;
    if (waitMs === null) throw error;
    await clock.sleep(waitMs, signal);
    await put(photo, parts, signal);
  }
};

const put = async (photo: PhotoPut, { clock, outside }: Parts, signal: AbortSignal): Promise<void> => {
  const url = outside.urlOf(photo.uploadUrl);
  if (url === null) throw refusedAddress();
  try {
    const { status, headers } = await exchange(await outside.openAgent(url), createIdleTimeout(clock), {
      method: 'PUT',
      url,
      // Set the length: stores refuse chunked bodies.
      headers: { 'content-type': photo.contentType, 'content-length': String(photo.bytes.length) },
      body: pieces(photo),
      signal,
    });
    if (status < 200 || status > 299) throw refused(status, headers['retry-after']);
  } catch (cause) {
    signal.throwIfAborted();
    if (cause instanceof ServiceError) throw cause;
    if (cause instanceof Unanswered && cause.cause instanceof NotPublic) throw refusedAddress(cause);
    throw new ServiceError({ ...problemText('UPLOAD_FAILED'), effect: 'unclear', status: 0, cause });
  }
};

/** Yields the bytes in pieces; the next one is pulled after the previous ones were sent. */
const pieces = async function* ({ bytes, sent }: PhotoPut): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += pieceBytes) {
    sent(at);
    yield bytes.subarray(at, at + pieceBytes);
  }
  sent(bytes.length);
};

const refused = (status: number, retryAfter: string | string[] | undefined) =>
  new ServiceError({
    ...problemText(status >= 500 ? 'SERVICE_FAULT' : status === 429 ? 'TOO_MANY_REQUESTS' : 'UPLOAD_REFUSED'),
    effect: status >= 500 ? 'unclear' : 'refused',
    status,
    retryAfterS: secondsOf(typeof retryAfter === 'string' ? retryAfter : undefined),
  });

/** An upload address must be on the service's origin or https to a public host. */
const refusedAddress = (cause?: unknown): ServiceError =>
  new ServiceError({ ...problemText('UPLOAD_ADDRESS'), effect: 'refused', status: 0, cause });
