import { addressOf } from '../addressOf.ts';
import { CallError } from '../callError.ts';
import { t } from '../../i18n/t.ts';
import type { Dropped } from './readDrop.ts';

const atOnce = 3;

const sendOne = async (file: File): Promise<string> => {
  const response = await fetch(addressOf('/intake'), {
    method: 'POST',
    body: file,
    headers: { 'content-type': 'application/octet-stream' },
  });
  const body: unknown = await response.json().catch(() => null);
  const { uploadId, error } = (body ?? {}) as { uploadId?: unknown; error?: unknown };
  if (response.ok && typeof uploadId === 'string') return uploadId;
  const sentence = typeof error === 'string' ? error : t('items.unread', { name: file.name });
  throw new CallError({ code: 'INTAKE_FAILED', sentence });
};

/** A photo whose bytes the host has, under its id there. */
type Sent = { uploadId: string; relativePath: string };

/** Sends the bytes of each photo to the host, three at a time; the ids come back in the photos' order. */
export const sendBytes = async (photos: readonly Dropped[], onSent: (photo: Dropped) => void): Promise<Sent[]> => {
  const sent: Sent[] = [];
  // The lanes take from one queue.
  const queue = photos.entries();
  const lane = async (): Promise<void> => {
    for (const [at, photo] of queue) {
      sent[at] = { uploadId: await sendOne(photo.file), relativePath: photo.relativePath };
      onSent(photo);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
  return sent;
};
