import type { Clock } from '../base/ports.ts';
import { problemText } from '../base/problem.ts';
import { exchange, createIdleTimeout, createAgentSource } from './exchange.ts';
import { secondsOf, ServiceError } from './serviceError.ts';

const pieceBytes = 64 * 1024;
const openAgent = createAgentSource();

export type PhotoPut = {
  bytes: Buffer;
  contentType: string;
  uploadUrl: string;
  /** Told how many of the bytes have left, from 0 on; a second try begins at 0 again. */
  sent: (bytes: number) => void;
};

/** `secondTryMs` is how long a second try waits; null where there is none. */
type Parts = { clock: Clock; secondTryMs: (retryAfterS: number | undefined) => number | null };

/**
 * Puts the bytes of a prepared photo to its upload slot with the very content type that the slot was asked for.
 * Putting twice is harmless, so one failure of the network or the store is tried again. The key is never sent there.
 */
export const putPhoto = async (photo: PhotoPut, { clock, secondTryMs }: Parts, signal: AbortSignal): Promise<void> => {
  try {
    await put(photo, clock, signal);
  } catch (error) {
    const waitMs = error instanceof ServiceError && error.effect !== 'refused' ? secondTryMs(error.retryAfterS) : null;
    if (waitMs === null) throw error;
    await clock.sleep(waitMs, signal);
    await put(photo, clock, signal);
  }
};

const put = async (photo: PhotoPut, clock: Clock, signal: AbortSignal): Promise<void> => {
  const url = safeAddress(photo.uploadUrl);
  try {
    const { status, headers } = await exchange(await openAgent(), createIdleTimeout(clock), {
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

/** An upload address is https, or plain http on this machine (the practice service). */
const safeAddress = (text: string): URL => {
  const url = URL.canParse(text) ? new URL(text) : null;
  const local = url?.protocol === 'http:' && ['127.0.0.1', 'localhost', '[::1]'].includes(url.hostname);
  if (!url || !(url.protocol === 'https:' || local)) {
    throw new ServiceError({
      ...problemText('UPLOAD_ADDRESS'),
      effect: 'refused',
      status: 0,
    });
  }
  return url;
};
