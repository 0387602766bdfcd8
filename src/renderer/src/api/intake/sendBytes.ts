import { addressOf } from '../addressOf.ts';
import { CallError } from '../callError.ts';
import { t } from '../../i18n/t.ts';

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

/** Sends the bytes of each file to the host, three at a time; the ids come back in the files' order. */
export const sendBytes = async (files: readonly File[], onSent: (at: number) => void): Promise<string[]> => {
  const ids: string[] = [];
  let next = 0;
  const lane = async (): Promise<void> => {
    for (let at = next++; at < files.length; at = next++) {
      ids[at] = await sendOne(files[at] as File);
      onSent(at);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
  return ids;
};
