import { createHash } from 'node:crypto';
import { mkdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { quality } from './encode.ts';
import { preparedNote, type PreparedNote, type ReadyPhoto } from './preparedPhoto.ts';
import { codeOfFileError, RefusedPhoto } from './refusals.ts';
import { writeWhole } from './writeWhole.ts';

/** Raise when prepared photos would come out differently, so that old ones are not taken for new. */
const recipe = 1;

/** SHA-256 in hex. */
export const sha256 = (bytes: Uint8Array | string): string => createHash('sha256').update(bytes).digest('hex');

/** Where one original's prepared files lie. */
export type Place = { photo: string; thumb: string; note: string };

/** The place of an original prepared in a certain way: the same bytes always lead to the same files. */
export const placeOf = (outDir: string, originalSha256: string, longEdgePx: number): Place => {
  const name = sha256(`${originalSha256} ${recipe} ${longEdgePx} ${quality}`).slice(0, 40);
  return {
    photo: join(outDir, `${name}.jpg`),
    thumb: join(outDir, `${name}.thumb.jpg`),
    note: join(outDir, `${name}.json`),
  };
};

const ready = (place: Place, note: PreparedNote): ReadyPhoto => ({
  ok: true,
  path: place.photo,
  thumbPath: place.thumb,
  contentType: 'image/jpeg',
  ...note,
});

/** What was prepared before, when all of it is still there; null otherwise, whatever the reason. */
export const findPrepared = async (place: Place): Promise<ReadyPhoto | null> => {
  try {
    const note = preparedNote.parse(JSON.parse(await readFile(place.note, 'utf8')));
    const [photo, thumb] = await Promise.all([stat(place.photo), stat(place.thumb)]);
    return photo.size === note.bytes && thumb.size > 0 ? ready(place, note) : null;
  } catch {
    return null;
  }
};

/** Keeps a prepared photo. The note comes last: where it is, the rest is complete. Throws RefusedPhoto. */
export const keepPrepared = async (
  place: Place,
  outDir: string,
  files: { photo: Buffer; thumb: Buffer },
  facts: Pick<PreparedNote, 'width' | 'height' | 'original'>,
): Promise<ReadyPhoto> => {
  const note: PreparedNote = { ...facts, bytes: files.photo.length, sha256: sha256(files.photo) };
  try {
    await mkdir(outDir, { recursive: true });
    await writeWhole(place.photo, files.photo);
    await writeWhole(place.thumb, files.thumb);
    await writeWhole(place.note, JSON.stringify(note));
  } catch (error) {
    const code = codeOfFileError(error, 'CANNOT_WRITE');
    throw new RefusedPhoto(code === 'NO_SPACE' ? code : 'CANNOT_WRITE', error);
  }
  return ready(place, note);
};
