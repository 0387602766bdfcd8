import { openAsBlob } from 'node:fs';
import type { Clock } from '../ports.ts';
import { ServiceError } from './serviceError.ts';

const timeoutMs = 120_000;

/**
 * Puts the bytes of a prepared photo to its upload slot with the very content type that the slot was asked for.
 * Putting twice is harmless, so one failure of the network or the store is tried again. The key is never sent there.
 */
export const putPhoto = async (
  photo: { path: string; contentType: string; uploadUrl: string },
  clock: Clock,
  signal: AbortSignal,
): Promise<void> => {
  const put = async (): Promise<void> => {
    const response = await fetch(safeAddress(photo.uploadUrl), {
      method: 'PUT',
      headers: { 'content-type': photo.contentType },
      body: await openAsBlob(photo.path, { type: photo.contentType }),
      redirect: 'error',
      signal: AbortSignal.any([AbortSignal.timeout(timeoutMs), signal]),
    }).catch((cause: unknown) => {
      signal.throwIfAborted();
      throw new ServiceError({
        code: 'UPLOAD_FAILED',
        sentence: 'A photo could not be uploaded.',
        effect: 'unclear',
        status: 0,
        cause,
      });
    });
    await response.arrayBuffer();
    if (!response.ok) throw refused(response.status);
  };
  try {
    await put();
  } catch (error) {
    if (!(error instanceof ServiceError) || error.effect === 'refused') throw error;
    await clock.sleep(1_000, signal);
    await put();
  }
};

const refused = (status: number) =>
  new ServiceError({
    code: 'UPLOAD_REFUSED',
    sentence: 'The service did not take a photo. A new upload address is asked for.',
    effect: status >= 500 ? 'unclear' : 'refused',
    status,
  });

/** An upload address is https, or plain http on this machine (the practice service). */
const safeAddress = (text: string): URL => {
  const url = URL.canParse(text) ? new URL(text) : null;
  const local = url?.protocol === 'http:' && ['127.0.0.1', 'localhost', '[::1]'].includes(url.hostname);
  if (!url || !(url.protocol === 'https:' || local)) {
    throw new ServiceError({
      code: 'UPLOAD_ADDRESS',
      sentence: 'The service gave an upload address that is not safe to use.',
      effect: 'refused',
      status: 0,
    });
  }
  return url;
};
