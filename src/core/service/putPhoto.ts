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
  /** Told how many of the bytes have left, from 0 on; a second try begins at 0 again. */
  sent: (bytes: number) => void;
};

/** `secondTryMs` is how long a second try waits; null where there is none. */
type Parts = {
  clock: Clock;
  outside: Outside;
  secondTryMs: (retryAfterS: number | undefined) => number | null;
};

/**
 * Puts the bytes of a prepared photo to its upload slot with the very content type that the slot was asked for.
 * Putting twice is harmless, so one failure of the network or the store is tried again. The key is never sent there.
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
      // The length goes first: stores refuse bodies that only say at the end how long they were.
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

/** The bytes in pieces; one is asked for when those before it have gone. */
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

/** An upload address is the service's own, or https on the internet. */
const refusedAddress = (cause?: unknown): ServiceError =>
  new ServiceError({ ...problemText('UPLOAD_ADDRESS'), effect: 'refused', status: 0, cause });
