import { heifItem } from './heifBoxes.ts';

/**
 * The little that is wanted of EXIF, by its tags. Libraries unfold every value that a file claims to have, and 64 KB can
 * claim gigabytes; here nothing but these is read, and what would lie outside of the bytes is not there.
 */
const tags = {
  make: 0x010f,
  model: 0x0110,
  thumbnailAt: 0x0201,
  thumbnailBytes: 0x0202,
  photoDirectory: 0x8769,
  takenAt: 0x9003,
  digitizedAt: 0x9004,
  takenAtZone: 0x9011,
} as const;

const types = { ascii: 2, short: 3, long: 4 } as const;
/** Cameras write a few dozen entries a directory, and texts of one line. */
const most = { entries: 512, letters: 256 } as const;

/** What a photo's EXIF says; texts as they are written there. `thumbnail` is a JPEG as it lies in the bytes. */
export type Exif = {
  make?: string | undefined;
  model?: string | undefined;
  takenAt?: string | undefined;
  digitizedAt?: string | undefined;
  takenAtZone?: string | undefined;
  thumbnail?: Buffer | undefined;
};

/** The segment of a JPEG before its picture; cut where the bytes end. */
const inJpeg = (bytes: Buffer): Buffer | null => {
  for (let at = 2; at + 4 <= bytes.length && bytes[at] === 0xff;) {
    const marker = bytes[at + 1];
    if (marker === 0xda || marker === 0xd9) return null;
    // Any number of 0xff may stand before a marker.
    const end = marker === 0xff ? at + 1 : at + 2 + Math.max(2, bytes.readUInt16BE(at + 2));
    if (marker === 0xe1 && bytes.toString('latin1', at + 4, at + 10) === 'Exif\0\0') return bytes.subarray(at + 4, end);
    at = end;
  }
  return null;
};

/** A chunk of a PNG: its size, its name, what it holds and four bytes to check that. */
const inPng = (bytes: Buffer): Buffer | null => {
  for (let at = 8; at + 8 <= bytes.length;) {
    const end = at + 8 + bytes.readUInt32BE(at);
    if (bytes.toString('latin1', at + 4, at + 8) === 'eXIf') return bytes.subarray(at + 8, end);
    at = end + 4;
  }
  return null;
};

/** A chunk of a WebP: its name, its size, and what it holds, of an even length. */
const inWebp = (bytes: Buffer): Buffer | null => {
  for (let at = 12; at + 8 <= bytes.length;) {
    const size = bytes.readUInt32LE(at + 4);
    if (bytes.toString('latin1', at, at + 4) === 'EXIF') return bytes.subarray(at + 8, at + 8 + size);
    at += 8 + size + (size % 2);
  }
  return null;
};

/** An item of a HEIC or AVIF, which says first how far away its TIFF header is. */
const inHeif = (bytes: Buffer): Buffer | null => {
  const item = heifItem(bytes, 'Exif');
  return item && item.length > 4 ? item.subarray(4 + item.readUInt32BE(0)) : null;
};

/** The part of a file with its EXIF. A TIFF is that itself, and so is what sharp hands out. */
const exifPart = (bytes: Buffer): Buffer | null => {
  const start = bytes.toString('latin1', 0, 12);
  if (start.startsWith('\xff\xd8')) return inJpeg(bytes);
  if (start.startsWith('\x89PNG')) return inPng(bytes);
  if (start.startsWith('RIFF') && start.endsWith('WEBP')) return inWebp(bytes);
  return start.slice(4, 8) === 'ftyp' ? inHeif(bytes) : bytes;
};

type Entry = { type: number; count: number; valueAt: number };
type Directory = { entries: Map<number, Entry>; nextAt: number };

const readerOf = (bytes: Buffer) => {
  const isLittle = bytes[0] === 0x49;
  const u16 = (at: number): number => (isLittle ? bytes.readUInt16LE(at) : bytes.readUInt16BE(at));
  const u32 = (at: number): number => (isLittle ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at));
  return {
    directory: (at: number): Directory => {
      if (at < 8 || at + 2 > bytes.length) return { entries: new Map(), nextAt: 0 };
      const claimed = u16(at);
      const there = Math.min(claimed, most.entries, Math.floor((bytes.length - at - 2) / 12));
      const places = Array.from({ length: there }, (_, nth) => at + 2 + nth * 12);
      const nextAt = at + 2 + claimed * 12;
      return {
        entries: new Map(
          places.map((entry) => [u16(entry), { type: u16(entry + 2), count: u32(entry + 4), valueAt: entry + 8 }]),
        ),
        nextAt: nextAt + 4 > bytes.length ? 0 : u32(nextAt),
      };
    },
    number: ({ entries }: Directory, tag: number): number => {
      const entry = entries.get(tag);
      if (entry?.count !== 1) return 0;
      if (entry.type === types.long) return u32(entry.valueAt);
      return entry.type === types.short ? u16(entry.valueAt) : 0;
    },
    text: ({ entries }: Directory, tag: number): string | undefined => {
      const entry = entries.get(tag);
      if (entry?.type !== types.ascii) return undefined;
      const at = entry.count > 4 ? u32(entry.valueAt) : entry.valueAt;
      const [text = ''] = bytes.toString('utf8', at, at + Math.min(entry.count, most.letters)).split('\0', 1);
      return text.trim() || undefined;
    },
  };
};

const readTiff = (bytes: Buffer): Exif => {
  if (!['II*\0', 'MM\0*'].includes(bytes.toString('latin1', 0, 4)) || bytes.length < 8) return {};
  const { directory, number, text } = readerOf(bytes);
  const first = directory(bytes[0] === 0x49 ? bytes.readUInt32LE(4) : bytes.readUInt32BE(4));
  const photo = directory(number(first, tags.photoDirectory));
  const second = directory(first.nextAt);
  const thumbnailAt = number(second, tags.thumbnailAt);
  const thumbnailEnd = thumbnailAt + number(second, tags.thumbnailBytes);
  const hasThumbnail = thumbnailAt > 0 && thumbnailEnd > thumbnailAt && thumbnailEnd <= bytes.length;
  return {
    make: text(first, tags.make),
    model: text(first, tags.model),
    takenAt: text(photo, tags.takenAt),
    digitizedAt: text(photo, tags.digitizedAt),
    takenAtZone: text(photo, tags.takenAtZone),
    thumbnail: hasThumbnail ? bytes.subarray(thumbnailAt, thumbnailEnd) : undefined,
  };
};

/**
 * Reads the EXIF of a photo from its file, from the start of that, or from what sharp hands out. Broken EXIF says nothing
 * about the picture, so this never throws, and takes no longer than the bytes are many.
 */
export const readExif = (fileOrExif: Uint8Array): Exif => {
  try {
    const bytes = Buffer.from(fileOrExif.buffer, fileOrExif.byteOffset, fileOrExif.byteLength);
    const part = exifPart(bytes) ?? Buffer.alloc(0);
    return readTiff(part.toString('latin1', 0, 6) === 'Exif\0\0' ? part.subarray(6) : part);
  } catch (error) {
    if (error instanceof RangeError) return {};
    throw error;
  }
};

/** What a camera wrote about a shot: when, in ms since 1970, and which camera it was. */
export type ShotFacts = { takenAt: number | undefined; camera: string | undefined };

const written = /^(\d{4}):(\d\d):(\d\d)[ T](\d\d):(\d\d):(\d\d)/;
const zone = /^[+-]\d\d:\d\d$/;

/** Cameras write local time, often without its zone; then the zone of this machine is assumed, which keeps the order of photos right. */
const timeOf = (text: string, zoneText: string): number | undefined => {
  const parts = written.exec(text);
  if (!parts) return undefined;
  const [, year, month, day, hours, minutes, seconds] = parts;
  const offset = zone.test(zoneText) ? zoneText : '';
  const time = Date.parse(`${year}-${month}-${day}T${hours}:${minutes}:${seconds}${offset}`);
  return Number.isFinite(time) && time > 0 ? time : undefined;
};

/** When and with what a photo was taken, from the bytes of a file (or those of its EXIF alone). Never throws. */
export const readShot = (fileOrExif: Uint8Array): ShotFacts => {
  const { make, model, takenAt, digitizedAt, takenAtZone = '' } = readExif(fileOrExif);
  const camera = [make, model].filter((part) => part !== undefined).join(' ');
  return { takenAt: timeOf(takenAt ?? digitizedAt ?? '', takenAtZone), camera: camera === '' ? undefined : camera };
};

/** When the camera says the photo was taken, in ms since 1970, or undefined. */
export const takenAt = (fileOrExif: Uint8Array): number | undefined => readShot(fileOrExif).takenAt;
