import exifr from 'exifr';
import * as z from 'zod';

const tags = z.object({
  DateTimeOriginal: z.string().optional(),
  CreateDate: z.string().optional(),
  OffsetTimeOriginal: z.string().optional(),
});

const written = /^(\d{4}):(\d\d):(\d\d)[ T](\d\d):(\d\d):(\d\d)/;
const zone = /^[+-]\d\d:\d\d$/;

/** sharp hands out EXIF with the marker of JPEG before it; exifr wants it from the TIFF header on. */
const startingAtTiff = (bytes: Uint8Array): Uint8Array =>
  Buffer.from(bytes.subarray(0, 6)).toString('latin1') === 'Exif\0\0' ? bytes.subarray(6) : bytes;

/**
 * When the camera says the photo was taken, in ms since 1970, or undefined. Cameras write local time, often without its
 * zone; then the zone of this machine is assumed, which keeps the order of photos right.
 */
export const takenAt = async (fileOrExif: Uint8Array): Promise<number | undefined> => {
  try {
    const found: unknown = await exifr.parse(startingAtTiff(fileOrExif), {
      pick: ['DateTimeOriginal', 'CreateDate', 'OffsetTimeOriginal'],
      reviveValues: false,
    });
    const { DateTimeOriginal, CreateDate, OffsetTimeOriginal } = tags.parse(found ?? {});
    const parts = written.exec(DateTimeOriginal ?? CreateDate ?? '');
    if (!parts) return undefined;
    const [, year, month, day, hours, minutes, seconds] = parts;
    const offset = OffsetTimeOriginal && zone.test(OffsetTimeOriginal) ? OffsetTimeOriginal : '';
    const time = Date.parse(`${year}-${month}-${day}T${hours}:${minutes}:${seconds}${offset}`);
    return Number.isFinite(time) && time > 0 ? time : undefined;
  } catch {
    // Broken EXIF says nothing about the picture.
    return undefined;
  }
};
