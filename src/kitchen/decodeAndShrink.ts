import { createShrinkOptions } from './encode.ts';
import { isHeifSequenceTruncated, isHeifTruncated, type HeifColourLabel } from '../photoContract/heifBoxes.ts';
import { convertLabelledColours } from './labelledColours.ts';
import { readAvifLabel, shrinkHeicPhoto, toDeepPixels } from './heif/shrinkHeicPhoto.ts';
import {
  refuseUnusableSize,
  maxPhonePixels,
  RefusedPhoto,
  maxPixels,
  type RefusalCode,
} from '../photoContract/refusedPhoto.ts';
import { toPixels, type Pixels, type DecodeLimits, type ShrunkPhoto } from './pixels.ts';
import type { Sharp } from './sharpBackend.ts';
import type { Metadata, SharpOptions } from 'sharp';
import type { DetectedFormat } from '../photoContract/detectFormat.ts';

const truncationMessage =
  /premature end|end of (file|image|input|stream|data)|truncated|not enough|unexpected end|unable to read|read error/i;

/** Warnings about tags, profiles and a header field that some cameras write wrongly. The pixels are not damaged. */
const metadataWarning =
  /iCCP|sRGB profile|cHRM|gAMA|eXIf|iTXt|tEXt|zTXt|unknown (field|tag)|tag \d+|Invalid SOS parameters|Adobe color transform|JFIF (major )?revision/i;
const extraBytesWarning = /(\d+) extraneous bytes before marker 0x([0-9a-f]{2})/;

const endMarker = 0xd9;
const tableMarkers: readonly number[] = [0xdb, 0xc4, 0xdd];
const frameMarkers: readonly number[] = [0xc0, 0xc1, 0xc2];
const uncommonFrameMarkers: readonly number[] = [0xc3, 0xc5, 0xc6, 0xc7, 0xcb, 0xcd, 0xce, 0xcf];

/** Extra bytes before the end of a JPEG are damaged data, unless all are zero because a camera padded its file. */
const isZeroPadding = (bytes: Buffer, count: number): boolean =>
  bytes.includes(Buffer.concat([Buffer.alloc(count), Buffer.from([0xff, 0xd9])]));

/** Stray bytes before the first scan are between segments, so they cannot be damaged picture data. */
const hasStrayHeaderBytes = (bytes: Buffer, count: number, wanted: number): boolean => {
  if (!tableMarkers.includes(wanted)) return false;
  for (let at = 2; at < bytes.length;) {
    const start = at;
    while (at + 1 < bytes.length && (bytes[at] !== 0xff || bytes[at + 1] === 0 || bytes[at + 1] === 0xff)) at++;
    const marker = bytes[at + 1];
    if (marker === wanted && at - start === count) return true;
    if (marker === 0xda || at + 4 > bytes.length) return false;
    at += 2 + Math.max(2, bytes.readUInt16BE(at + 2));
  }
  return false;
};

const isHarmlessWarning = (complaint: string, bytes: Buffer): boolean => {
  const [, digits, hex = ''] = extraBytesWarning.exec(complaint) ?? [];
  if (digits === undefined) return metadataWarning.test(complaint);
  const [count, marker] = [Number(digits), Number.parseInt(hex, 16)];
  return marker === endMarker ? isZeroPadding(bytes, count) : hasStrayHeaderBytes(bytes, count, marker);
};

const isTruncatedWebp = (bytes: Buffer): boolean =>
  bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.length >= 8 && bytes.readUInt32LE(4) + 8 > bytes.length;

/** If a JPEG file that cannot be decoded has its end marker, it is not truncated but damaged inside. */
const hasJpegEndMarker = (bytes: Buffer): boolean =>
  bytes.at(0) === 0xff && bytes.at(-2) === 0xff && bytes.at(-1) === 0xd9;

/** Returns whether a JPEG is lossless, hierarchical or has other than 8 bits, which decoders for photos cannot read. */
const isUncommonJpeg = (bytes: Buffer): boolean => {
  for (let at = 2; at + 5 <= bytes.length && bytes[at] === 0xff;) {
    const marker = bytes[at + 1] ?? 0;
    if (uncommonFrameMarkers.includes(marker)) return true;
    if (frameMarkers.includes(marker)) return bytes[at + 4] !== 8;
    if (marker === 0xda) return false;
    at += 2 + Math.max(2, bytes.readUInt16BE(at + 2));
  }
  return false;
};

const tiffTag = { bits: 258, compression: 259 } as const;
const oldJpegCompression = 6;

/** Returns whether a TIFF has old-style JPEG inside or 12 bits, which libtiff and libvips cannot read. */
const isUncommonTiff = (bytes: Buffer): boolean => {
  const order = bytes.toString('latin1', 0, 2);
  if (order !== 'II' && order !== 'MM') return false;
  const readNumber = (at: number, size: 2 | 4): number => {
    if (at + size > bytes.length) return 0;
    return order === 'II' ? bytes.readUIntLE(at, size) : bytes.readUIntBE(at, size);
  };
  const directory = readNumber(4, 4);
  return Array.from({ length: readNumber(directory, 2) }, (_, nth) => directory + 2 + 12 * nth).some((entry) => {
    const [tag, count] = [readNumber(entry, 2), readNumber(entry + 4, 4)];
    const value = readNumber(count > 2 ? readNumber(entry + 8, 4) : entry + 8, 2);
    return (tag === tiffTag.compression && value === oldJpegCompression) || (tag === tiffTag.bits && value === 12);
  });
};

const listComplaints = (error: unknown): string[] =>
  (error instanceof Error ? error.message : '').split('\n').filter((line) => line.trim() !== '');

/**
 * A photo that was not decoded, for a reason that is known only when it is decoded alone: all photos in work share one
 * list of complaints, and each takes what the others have left there.
 */
export class DoubtfulPhoto extends Error {
  override readonly name = 'DoubtfulPhoto';
}

/** Libraries report with these messages that a whole file uses a method that they do not support. */
const unsupportedMessage =
  /compression (support|method) is not configured|not a whole number of bytes|unsupported JPEG (process|data precision)/i;

const getDecodeErrorCode = (error: unknown, bytes: Buffer): RefusalCode => {
  const message = error instanceof Error ? error.message : String(error);
  if (/pixel limit/i.test(message)) return 'TOO_LARGE';
  const complaints = listComplaints(error).join('\n');
  if (isUncommonJpeg(bytes) || isUncommonTiff(bytes) || unsupportedMessage.test(complaints)) return 'OTHER_PICTURE';
  if (hasJpegEndMarker(bytes)) return 'DAMAGED';
  return truncationMessage.test(complaints) || isTruncatedWebp(bytes) ? 'TRUNCATED' : 'DAMAGED';
};

type DecodedPhoto = { pixels: Pixels; icc: Uint8Array | null };

/** Decodes a photo and treats any warning as an error. If all warnings are harmless, decodes it again without them. */
const decodeStrictly = async (
  bytes: Buffer,
  decode: (failOn: SharpOptions['failOn']) => Promise<DecodedPhoto>,
): Promise<DecodedPhoto> => {
  try {
    return await decode('warning');
  } catch (error) {
    const complaints = listComplaints(error);
    if (complaints.length === 0 || !complaints.every((line) => isHarmlessWarning(line, bytes))) throw error;
    return decode('error');
  }
};

/** Only an animated PNG has an `acTL` chunk before the picture data. */
const isAnimatedPng = (bytes: Buffer): boolean => {
  const control = bytes.subarray(0, 65_536).indexOf('acTL', 0, 'latin1');
  const data = bytes.indexOf('IDAT', 0, 'latin1');
  return control >= 0 && (data < 0 || control < data);
};

const isAnimatedPicture = (format: DetectedFormat, bytes: Buffer, pages: number): boolean =>
  format === 'png' ? isAnimatedPng(bytes) : (format === 'gif' || format === 'webp') && pages > 1;

/** Runs a decoder on a photo. Throws `DoubtfulPhoto` if it fails beside other photos, and `RefusedPhoto` if it fails alone. */
const runDecoder = async <T>(bytes: Buffer, isAlone: boolean, decode: () => Promise<T>): Promise<T> => {
  try {
    return await decode();
  } catch (error) {
    throw isAlone ? new RefusedPhoto(getDecodeErrorCode(error, bytes), error) : new DoubtfulPhoto();
  }
};

const sampleBytes: Partial<Record<string, number>> = { ushort: 2, short: 2, uint: 4, int: 4, float: 4, double: 8 };

const computePixelMemoryFactor = ({ channels, depth }: Metadata): number =>
  Math.max(1, (channels * (sampleBytes[depth] ?? 1)) / 4);

type ShrinkTask = { sharp: Sharp; bytes: Buffer; longEdgePx: number; limit: number; icc: Uint8Array | null };

/**
 * Shrinks RGB pixels of eight bits before their colours are converted. sharp would convert the colours first, which
 * takes longer than all other steps.
 */
const shrinkWithoutProfile = async (task: ShrinkTask, failOn: SharpOptions['failOn']): Promise<DecodedPhoto> => {
  const { sharp, bytes, longEdgePx, limit, icc } = task;
  const { data, info } = await sharp(bytes, { failOn, ignoreIcc: true, limitInputPixels: limit })
    .autoOrient()
    .resize(createShrinkOptions(longEdgePx))
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { pixels: toPixels(data, info), icc };
};

/**
 * Converts the colours before it shrinks the picture. CMYK, Lab, grey and 16-bit pixels cannot be shrunk correctly
 * without their profile.
 */
const shrinkWithProfile = async (task: ShrinkTask, failOn: SharpOptions['failOn']): Promise<DecodedPhoto> => {
  const { sharp, bytes, longEdgePx, limit } = task;
  const { data, info } = await sharp(bytes, { failOn, limitInputPixels: limit })
    .autoOrient()
    .resize(createShrinkOptions(longEdgePx))
    .flatten({ background: '#ffffff' })
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { pixels: toPixels(data, info), icc: null };
};

/** Keeps samples of 16 bits until their colours are converted, because the shades of an HDR photo need more than eight. */
const createLabelledShrinker =
  (label: HeifColourLabel) =>
  async ({ sharp, bytes, longEdgePx, limit }: ShrinkTask, failOn: SharpOptions['failOn']): Promise<DecodedPhoto> => {
    const { data, info } = await sharp(bytes, { failOn, ignoreIcc: true, limitInputPixels: limit })
      .autoOrient()
      .resize(createShrinkOptions(longEdgePx))
      .toColourspace('rgb16')
      .raw({ depth: 'ushort' })
      .toBuffer({ resolveWithObject: true });
    return { pixels: convertLabelledColours(toDeepPixels(data, info, 65_535), label), icc: null };
  };

const shrinkRasterPhoto = async (
  sharp: Sharp,
  format: DetectedFormat,
  bytes: Buffer,
  asked: DecodeLimits,
): Promise<ShrunkPhoto> => {
  if (format === 'avif' && isHeifTruncated(bytes)) throw new RefusedPhoto('TRUNCATED');
  const header = sharp(bytes, { limitInputPixels: false, failOn: 'none' });
  const facts = await runDecoder(bytes, asked.isAlone, () => header.metadata());
  if (isAnimatedPicture(format, bytes, facts.pages ?? 1)) throw new RefusedPhoto('ANIMATED');
  const heavy = computePixelMemoryFactor(facts);
  const limit = format === 'jpeg' ? maxPhonePixels : maxPixels / heavy;
  const original = { width: facts.autoOrient.width, height: facts.autoOrient.height };
  refuseUnusableSize(original.width, original.height, limit);
  await asked.admit(original.width * original.height * heavy);
  const label = format === 'avif' ? readAvifLabel(bytes) : null;
  const task = { sharp, bytes, longEdgePx: asked.longEdgeOf(original), limit, icc: facts.icc ?? null };
  const decode = label
    ? createLabelledShrinker(label)
    : facts.space === 'srgb' && facts.depth === 'uchar'
      ? shrinkWithoutProfile
      : shrinkWithProfile;
  const decoded = await runDecoder(bytes, asked.isAlone, () =>
    asked.isAlone ? decodeStrictly(bytes, (failOn) => decode(task, failOn)) : decode(task, 'warning'),
  );
  return { ...decoded, original, exif: facts.exif };
};

const refusedFormats: Partial<Record<DetectedFormat, RefusalCode>> = {
  empty: 'EMPTY_FILE',
  svg: 'SVG',
  pdf: 'PDF',
  video: 'VIDEO',
  raw: 'CAMERA_RAW',
  otherPicture: 'OTHER_PICTURE',
  other: 'NOT_A_PHOTO',
};

const unreadableCodes: ReadonlySet<RefusalCode> = new Set(['DAMAGED', 'TRUNCATED', 'HEIC_UNREADABLE']);
const sequenceHead = /^ftyp(avis|msf1|hev[cxms])/;

/** The decoders read only still pictures, so they report a whole image sequence as damaged or truncated. */
const refuseSequence = (error: unknown, bytes: Buffer): never => {
  const isSequence = sequenceHead.test(bytes.toString('latin1', 4, 12)) && !isHeifSequenceTruncated(bytes);
  if (isSequence && error instanceof RefusedPhoto && unreadableCodes.has(error.code))
    throw new RefusedPhoto('ANIMATED', error);
  throw error;
};

/** Decodes a photo of any supported format to small upright pixels. Throws `RefusedPhoto` or `DoubtfulPhoto`. */
export const decodeAndShrink = async (
  sharp: Sharp,
  format: DetectedFormat,
  bytes: Buffer,
  asked: DecodeLimits,
): Promise<ShrunkPhoto> => {
  const refused = refusedFormats[format];
  if (refused) throw new RefusedPhoto(refused);
  const shrunk =
    format === 'heic' ? shrinkHeicPhoto(sharp, bytes, asked) : shrinkRasterPhoto(sharp, format, bytes, asked);
  return shrunk.catch((error: unknown) => refuseSequence(error, bytes));
};
