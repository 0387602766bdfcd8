import type { Metadata, SharpOptions } from 'sharp';
import { encodeJpeg, quality, within, type Encoded } from './encode.ts';
import { isCutShort } from './heifBoxes.ts';
import { checkSize, maxPhonePixels, maxPixels } from './limits.ts';
import type { Looks } from './looksLike.ts';
import type { Admit, Prepared } from './prepareHeic.ts';
import { RefusedPhoto, type RefusalCode } from './refusals.ts';
import type { Sharp } from './sharpBackend.ts';

/** Words of libjpeg, libpng, libtiff, libwebp for "the file ends too early". */
const cutShort =
  /premature end|end of (file|image|input|stream|data)|truncated|not enough|unexpected end|unable to read|read error/i;

/** Complaints that leave every pixel as it was: about tags, profiles, and a header field that some cameras fill wrongly. */
const aboutNotes =
  /iCCP|sRGB profile|cHRM|gAMA|eXIf|iTXt|tEXt|zTXt|unknown (field|tag)|tag \d+|Invalid SOS parameters|Adobe color transform|JFIF (major )?revision/i;
const leftOver = /(\d+) extraneous bytes before marker 0xd9/;

/** Bytes left over before the end of a JPEG mean damage, unless all are zero: then a camera has padded its file. */
const isPadding = (bytes: Buffer, count: number): boolean =>
  bytes.includes(Buffer.concat([Buffer.alloc(count), Buffer.from([0xff, 0xd9])]));

/** Whether a complaint of the decoder says nothing about the picture itself. Anything unknown means damage. */
const isHarmless = (complaint: string, bytes: Buffer): boolean => {
  const extra = leftOver.exec(complaint);
  return extra ? isPadding(bytes, Number(extra[1])) : aboutNotes.test(complaint);
};

/** A WebP says at its start how long it is. */
const isShortWebp = (bytes: Buffer): boolean =>
  bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.length >= 8 && bytes.readUInt32LE(4) + 8 > bytes.length;

/** A JPEG that ends as it should but runs out of picture before is damaged inside, not cut short. */
const hasJpegEnd = (bytes: Buffer): boolean => bytes.at(0) === 0xff && bytes.at(-2) === 0xff && bytes.at(-1) === 0xd9;

const codeOfDecodeError = (error: unknown, bytes: Buffer): RefusalCode => {
  const message = error instanceof Error ? error.message : String(error);
  if (/pixel limit/i.test(message)) return 'TOO_LARGE';
  if (hasJpegEnd(bytes)) return 'DAMAGED';
  return cutShort.test(message) || isShortWebp(bytes) ? 'TRUNCATED' : 'DAMAGED';
};

/** Runs a decode that stops at any complaint; when all complaints are harmless, runs it again and lets them pass. */
const strictly = async (
  bytes: Buffer,
  decode: (failOn: SharpOptions['failOn']) => Promise<Encoded>,
): Promise<Encoded> => {
  try {
    return await decode('warning');
  } catch (error) {
    const lines = (error instanceof Error ? error.message : '').split('\n').filter((line) => line.trim() !== '');
    if (lines.length === 0 || !lines.every((line) => isHarmless(line, bytes))) throw error;
    return decode('error');
  }
};

/** PNG animation (APNG) is announced by an `acTL` chunk before the picture data. */
const isAnimatedPng = (bytes: Buffer): boolean => {
  const control = bytes.subarray(0, 65_536).indexOf('acTL', 0, 'latin1');
  const data = bytes.indexOf('IDAT', 0, 'latin1');
  return control >= 0 && (data < 0 || control < data);
};

const isAnimated = (looks: Looks, bytes: Buffer, pages: number): boolean =>
  looks === 'png' ? isAnimatedPng(bytes) : (looks === 'gif' || looks === 'webp') && pages > 1;

const header = async (sharp: Sharp, bytes: Buffer): Promise<Metadata> => {
  try {
    return await sharp(bytes, { limitInputPixels: false, failOn: 'none' }).metadata();
  } catch (error) {
    throw new RefusedPhoto(codeOfDecodeError(error, bytes), error);
  }
};

type Task = { sharp: Sharp; bytes: Buffer; longEdgePx: number; limit: number };

/**
 * Small first, then colour. sharp converts colours before it shrinks, which for a phone photo costs more than all the
 * rest; so the profile is ignored while shrinking, kept, and used on the small picture. Right for RGB of eight bits.
 */
const inTwoSteps = async (task: Task, failOn: SharpOptions['failOn']): Promise<Encoded> => {
  const { sharp, bytes, longEdgePx, limit } = task;
  const small = await sharp(bytes, { failOn, ignoreIcc: true, limitInputPixels: limit })
    .autoOrient()
    .resize(within(longEdgePx))
    .keepIccProfile()
    .tiff({ compression: 'none' })
    .toBuffer();
  return encodeJpeg(sharp, small);
};

/** CMYK, Lab, grey and 16-bit pictures mean nothing without their profile, so colour comes first. */
const inOneStep = async (task: Task, failOn: SharpOptions['failOn']): Promise<Encoded> => {
  const { sharp, bytes, longEdgePx, limit } = task;
  const { data, info } = await sharp(bytes, { failOn, limitInputPixels: limit })
    .autoOrient()
    .resize(within(longEdgePx))
    .flatten({ background: '#ffffff' })
    .toColourspace('srgb')
    .jpeg({ quality })
    .toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
};

/** Decodes JPEG, PNG, WebP, AVIF, TIFF and still GIF. Throws RefusedPhoto. */
export const prepareRaster = async (
  sharp: Sharp,
  looks: Looks,
  bytes: Buffer,
  longEdgePx: number,
  admit: Admit,
): Promise<Prepared> => {
  if (looks === 'avif' && isCutShort(bytes)) throw new RefusedPhoto('TRUNCATED');
  const facts = await header(sharp, bytes);
  if (isAnimated(looks, bytes, facts.pages ?? 1)) throw new RefusedPhoto('ANIMATED');
  const limit = looks === 'jpeg' ? maxPhonePixels : maxPixels;
  const { width: originalWidth, height: originalHeight } = facts.autoOrient;
  checkSize(originalWidth, originalHeight, limit);
  await admit(originalWidth * originalHeight);
  const task = { sharp, bytes, longEdgePx, limit };
  const decode = facts.space === 'srgb' && facts.depth === 'uchar' ? inTwoSteps : inOneStep;
  try {
    const encoded = await strictly(bytes, (failOn) => decode(task, failOn));
    return { ...encoded, originalWidth, originalHeight, exif: facts.exif };
  } catch (error) {
    throw new RefusedPhoto(codeOfDecodeError(error, bytes), error);
  }
};
