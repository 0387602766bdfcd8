import exifr from 'exifr';
import * as z from 'zod';

const tags = z.object({
  DateTimeOriginal: z.string().optional(),
  CreateDate: z.string().optional(),
  OffsetTimeOriginal: z.string().optional(),
  Make: z.string().optional(),
  Model: z.string().optional(),
});

/** What a camera wrote about a shot: when, in ms since 1970, and which camera it was. */
export type ShotFacts = { takenAt: number | undefined; camera: string | undefined };

const written = /^(\d{4}):(\d\d):(\d\d)[ T](\d\d):(\d\d):(\d\d)/;
const zone = /^[+-]\d\d:\d\d$/;

/** sharp hands out EXIF with the marker of JPEG before it; exifr wants it from the TIFF header on. */
const startingAtTiff = (bytes: Uint8Array): Uint8Array =>
  Buffer.from(bytes.subarray(0, 6)).toString('latin1') === 'Exif\0\0' ? bytes.subarray(6) : bytes;

/** Cameras write local time, often without its zone; then the zone of this machine is assumed, which keeps the order of photos right. */
const timeOf = ({ DateTimeOriginal, CreateDate, OffsetTimeOriginal }: z.infer<typeof tags>): number | undefined => {
  const parts = written.exec(DateTimeOriginal ?? CreateDate ?? '');
  if (!parts) return undefined;
  const [, year, month, day, hours, minutes, seconds] = parts;
  const offset = OffsetTimeOriginal && zone.test(OffsetTimeOriginal) ? OffsetTimeOriginal : '';
  const time = Date.parse(`${year}-${month}-${day}T${hours}:${minutes}:${seconds}${offset}`);
  return Number.isFinite(time) && time > 0 ? time : undefined;
};

/** When and with what a photo was taken, from the bytes of a file (or those of its EXIF alone). Never throws. */
export const readShot = async (fileOrExif: Uint8Array): Promise<ShotFacts> => {
  try {
    const found: unknown = await exifr.parse(startingAtTiff(fileOrExif), {
      pick: ['DateTimeOriginal', 'CreateDate', 'OffsetTimeOriginal', 'Make', 'Model'],
      reviveValues: false,
    });
    const known = tags.parse(found ?? {});
    const camera = [known.Make, known.Model].filter((part) => part?.trim()).join(' ');
    return { takenAt: timeOf(known), camera: camera === '' ? undefined : camera };
  } catch {
    // Broken EXIF says nothing about the picture.
    return { takenAt: undefined, camera: undefined };
  }
};

/** When the camera says the photo was taken, in ms since 1970, or undefined. */
export const takenAt = async (fileOrExif: Uint8Array): Promise<number | undefined> =>
  (await readShot(fileOrExif)).takenAt;
