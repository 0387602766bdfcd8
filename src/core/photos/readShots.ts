import type { FileHandle } from 'node:fs/promises';
import type { PhotoFile } from './groupFiles.ts';
import { looksLike } from './looksLike.ts';
import { openInside } from './openInside.ts';
import { readShot, type ShotFacts } from './takenAt.ts';

const readAtOnce = 4;
/** Cameras write their facts at the start of a JPEG. */
const headBytes = 64 * 1024;
/** HEIC containers may have them anywhere; larger ones are left without. */
const mostBytes = 30e6;

const unknown: ShotFacts = { takenAt: undefined, camera: undefined };

const read = async (file: FileHandle, memory: Buffer): Promise<ShotFacts> => {
  const { bytesRead } = await file.read(memory, 0, headBytes, 0);
  const head = memory.subarray(0, bytesRead);
  const facts = readShot(head);
  if (facts.takenAt !== undefined || bytesRead < headBytes || (await looksLike(head)) !== 'heic') return facts;
  const { size } = await file.stat();
  return size > mostBytes ? facts : readShot(await file.readFile());
};

/** When and with what photos were taken; what cannot be read is left without facts. */
export const readShots = async (photos: readonly PhotoFile[]): Promise<ShotFacts[]> => {
  const shots: ShotFacts[] = [];
  let next = 0;
  const lane = async (): Promise<void> => {
    const memory = Buffer.alloc(headBytes);
    for (let at = next++; at < photos.length; at = next++) {
      const { path = '', root = null } = photos[at] ?? {};
      const file = await openInside(root === null ? null : [root], path).catch(() => null);
      shots[at] = file ? await read(file, memory).catch(() => unknown) : unknown;
      await file?.close();
    }
  };
  await Promise.all(Array.from({ length: readAtOnce }, lane));
  return shots;
};
