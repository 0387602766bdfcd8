import { findHeifItem } from './heifBoxes.ts';

/**
 * This module reads only these tags, without a library. A library would allocate every value that a file declares, and
 * a file of 64 KB can declare gigabytes.
 */
const tags = {
  make: 0x010f,
  model: 0x0110,
  orientation: 0x0112,
  thumbnailAt: 0x0201,
  thumbnailBytes: 0x0202,
  photoDirectory: 0x8769,
  takenAt: 0x9003,
  digitizedAt: 0x9004,
  takenAtZone: 0x9011,
} as const;

const types = { ascii: 2, short: 3, long: 4 } as const;
const exifLimits = { entries: 512, letters: 256 } as const;

/**
 * The texts are unchanged from the file. `orientation` is undefined if the photo is upright. `thumbnail` is a JPEG and
 * shares memory with the file.
 */
export type Exif = {
  make?: string | undefined;
  model?: string | undefined;
  orientation?: number | undefined;
  takenAt?: string | undefined;
  digitizedAt?: string | undefined;
  takenAtZone?: string | undefined;
  thumbnail?: Buffer | undefined;
};

const findJpegExif = (bytes: Buffer): Buffer | null => {
  for (let at = 2; at + 4 <= bytes.length && bytes[at] === 0xff;) {
    const marker = bytes[at + 1];
    if (marker === 0xda || marker === 0xd9) return null;
    // Skip a repeated 0xff byte, because a marker can begin with any number of them.
    const end = marker === 0xff ? at + 1 : at + 2 + Math.max(2, bytes.readUInt16BE(at + 2));
    if (marker === 0xe1 && bytes.toString('latin1', at + 4, at + 10) === 'Exif\0\0') return bytes.subarray(at + 4, end);
    at = end;
  }
  return null;
};

/** A PNG chunk is its size, name, data and a checksum of four bytes. */
const findPngExif = (bytes: Buffer): Buffer | null => {
  for (let at = 8; at + 8 <= bytes.length;) {
    const end = at + 8 + bytes.readUInt32BE(at);
    if (bytes.toString('latin1', at + 4, at + 8) === 'eXIf') return bytes.subarray(at + 8, end);
    at = end + 4;
  }
  return null;
};

/** A WebP chunk is its name, size and data, padded to an even length. */
const findWebpExif = (bytes: Buffer): Buffer | null => {
  for (let at = 12; at + 8 <= bytes.length;) {
    const size = bytes.readUInt32LE(at + 4);
    if (bytes.toString('latin1', at, at + 4) === 'EXIF') return bytes.subarray(at + 8, at + 8 + size);
    at += 8 + size + (size % 2);
  }
  return null;
};

/** The Exif item of a HEIF file begins with the offset of its TIFF header. */
const findHeifExif = (bytes: Buffer): Buffer | null => {
  const item = findHeifItem(bytes, 'Exif');
  return item && item.length > 4 ? item.subarray(4 + item.readUInt32BE(0)) : null;
};

/** Returns the EXIF as a TIFF structure. A TIFF file and the EXIF that sharp returns already have this structure. */
const findExifPart = (bytes: Buffer): Buffer | null => {
  const start = bytes.toString('latin1', 0, 12);
  if (start.startsWith('\xff\xd8')) return findJpegExif(bytes);
  if (start.startsWith('\x89PNG')) return findPngExif(bytes);
  if (start.startsWith('RIFF') && start.endsWith('WEBP')) return findWebpExif(bytes);
  return start.slice(4, 8) === 'ftyp' ? findHeifExif(bytes) : bytes;
};

type ExifEntry = { type: number; count: number; valueAt: number };
type ExifDirectory = { entries: Map<number, ExifEntry>; nextAt: number };

const createExifReader = (bytes: Buffer) => {
  const isLittle = bytes[0] === 0x49;
  const readUint16 = (at: number): number => (isLittle ? bytes.readUInt16LE(at) : bytes.readUInt16BE(at));
  const readUint32 = (at: number): number => (isLittle ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at));
  return {
    directory: (at: number): ExifDirectory => {
      if (at < 8 || at + 2 > bytes.length) return { entries: new Map(), nextAt: 0 };
      const claimed = readUint16(at);
      const there = Math.min(claimed, exifLimits.entries, Math.floor((bytes.length - at - 2) / 12));
      const places = Array.from({ length: there }, (_, nth) => at + 2 + nth * 12);
      const nextAt = at + 2 + claimed * 12;
      return {
        entries: new Map(
          places.map((entry) => [
            readUint16(entry),
            { type: readUint16(entry + 2), count: readUint32(entry + 4), valueAt: entry + 8 },
          ]),
        ),
        nextAt: nextAt + 4 > bytes.length ? 0 : readUint32(nextAt),
      };
    },
    number: ({ entries }: ExifDirectory, tag: number): number => {
      const entry = entries.get(tag);
      if (entry?.count !== 1) return 0;
      if (entry.type === types.long) return readUint32(entry.valueAt);
      return entry.type === types.short ? readUint16(entry.valueAt) : 0;
    },
    text: ({ entries }: ExifDirectory, tag: number): string | undefined => {
      const entry = entries.get(tag);
      if (entry?.type !== types.ascii) return undefined;
      const at = entry.count > 4 ? readUint32(entry.valueAt) : entry.valueAt;
      const [text = ''] = bytes.toString('utf8', at, at + Math.min(entry.count, exifLimits.letters)).split('\0', 1);
      return text.trim() || undefined;
    },
  };
};

const parseTiffExif = (bytes: Buffer): Exif => {
  if (!['II*\0', 'MM\0*'].includes(bytes.toString('latin1', 0, 4)) || bytes.length < 8) return {};
  const { directory, number, text } = createExifReader(bytes);
  const first = directory(bytes[0] === 0x49 ? bytes.readUInt32LE(4) : bytes.readUInt32BE(4));
  const photo = directory(number(first, tags.photoDirectory));
  const second = directory(first.nextAt);
  const thumbnailAt = number(second, tags.thumbnailAt);
  const thumbnailEnd = thumbnailAt + number(second, tags.thumbnailBytes);
  const orientation = number(first, tags.orientation);
  const hasThumbnail = thumbnailAt > 0 && thumbnailEnd > thumbnailAt && thumbnailEnd <= bytes.length;
  return {
    make: text(first, tags.make),
    model: text(first, tags.model),
    orientation: orientation > 1 ? orientation : undefined,
    takenAt: text(photo, tags.takenAt),
    digitizedAt: text(photo, tags.digitizedAt),
    takenAtZone: text(photo, tags.takenAtZone),
    thumbnail: hasThumbnail ? bytes.subarray(thumbnailAt, thumbnailEnd) : undefined,
  };
};

/**
 * Reads the EXIF of a photo from the file, its start or the EXIF that sharp returns. Returns no values if the EXIF is
 * broken.
 */
export const parsePhotoExif = (fileOrExif: Uint8Array): Exif => {
  try {
    const bytes = Buffer.from(fileOrExif.buffer, fileOrExif.byteOffset, fileOrExif.byteLength);
    const part = findExifPart(bytes) ?? Buffer.alloc(0);
    return parseTiffExif(part.toString('latin1', 0, 6) === 'Exif\0\0' ? part.subarray(6) : part);
  } catch (error) {
    if (error instanceof RangeError) return {};
    throw error;
  }
};

/** `takenAt` is in ms since 1970. */
export type ShotFacts = { takenAt: number | undefined; camera: string | undefined };

const exifTimePattern = /^(\d{4}):(\d\d):(\d\d)[ T](\d\d):(\d\d):(\d\d)/;
const zonePattern = /^[+-]\d\d:\d\d$/;

/** If the time has no zone, the zone of this machine is used. */
const parseExifTime = (text: string, zoneText: string): number | undefined => {
  const parts = exifTimePattern.exec(text);
  if (!parts) return undefined;
  const [, year, month, day, hours, minutes, seconds] = parts;
  const offset = zonePattern.test(zoneText) ? zoneText : '';
  const time = Date.parse(`${year}-${month}-${day}T${hours}:${minutes}:${seconds}${offset}`);
  return Number.isFinite(time) && time > 0 ? time : undefined;
};

export const parseShotFacts = (fileOrExif: Uint8Array): ShotFacts => {
  const { make, model, takenAt, digitizedAt, takenAtZone = '' } = parsePhotoExif(fileOrExif);
  const camera = [make, model].filter((part) => part !== undefined).join(' ');
  return {
    takenAt: parseExifTime(takenAt ?? digitizedAt ?? '', takenAtZone),
    camera: camera === '' ? undefined : camera,
  };
};

export const parseTakenAt = (fileOrExif: Uint8Array): number | undefined => parseShotFacts(fileOrExif).takenAt;
