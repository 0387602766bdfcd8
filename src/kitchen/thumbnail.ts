import { convertToSrgb } from './colour.ts';
import { encodeThumbnail, thumbnailPx, createFitOptions } from './encode.ts';
import { thumbnailHeadBytes, encodeQuality } from '../photoContract/constants.ts';
import { parsePhotoExif } from '../photoContract/exif.ts';
import { isHeifTruncated } from '../photoContract/heifBoxes.ts';
import { openHeifPhoto } from './heif/heifDecoder.ts';
import { applyHeifView, readAvifLabel, readHeifView } from './heif/shrinkHeicPhoto.ts';
import { detectFormat } from '../photoContract/detectFormat.ts';
import type { Sharp } from './sharpBackend.ts';

/** Shrinking a larger picture is slow unless it is a JPEG, so such a picture gets its thumbnail during preparation. */
const quickPixels = 30e6;
/**
 * The rotation in degrees for each EXIF orientation. Mirrored orientations are left out because they are rare; such
 * photos are decoded instead.
 */
const turns: Partial<Record<number, number>> = { 1: 0, 3: 180, 6: 90, 8: 270 };

/**
 * Returns null if the EXIF thumbnail is missing, or if its aspect ratio differs from that of the photo, because the
 * thumbnail then has black bars.
 */
const readExifThumbnail = async (sharp: Sharp, start: Buffer): Promise<Buffer | null> => {
  const stored = parsePhotoExif(start).thumbnail;
  if (!stored) return null;
  const [photo, small] = await Promise.all([sharp(start).metadata(), sharp(stored).metadata()]);
  const angle = turns[photo.orientation ?? 1];
  const sameShape = Math.abs(photo.width / photo.height / (small.width / small.height) - 1) < 0.03;
  if (angle === undefined || !sameShape) return null;
  return sharp(stored).rotate(angle).resize(createFitOptions(thumbnailPx)).jpeg({ quality: encodeQuality }).toBuffer();
};

const readHeicThumbnail = async (sharp: Sharp, bytes: Uint8Array): Promise<Buffer | null> => {
  if (isHeifTruncated(bytes)) return null;
  const photo = openHeifPhoto(bytes);
  try {
    const small = photo.decodeThumbnail();
    if (!small) return null;
    const view = readHeifView(bytes);
    const upright = await applyHeifView(sharp, small, view);
    return await encodeThumbnail(sharp, await convertToSrgb(sharp, upright, view.label ? null : photo.icc));
  } finally {
    photo.close();
  }
};

const shrinkToThumbnail = async (sharp: Sharp, bytes: Buffer, isJpeg: boolean): Promise<Buffer | null> => {
  const { width, height } = await sharp(bytes, { limitInputPixels: false }).metadata();
  if (!isJpeg && width * height > quickPixels) return null;
  return sharp(bytes, { limitInputPixels: false, failOn: 'none' })
    .autoOrient()
    .resize(createFitOptions(thumbnailPx))
    .flatten({ background: '#ffffff' })
    .jpeg({ quality: encodeQuality })
    .toBuffer();
};

const makeThumbnailByFormat = async (
  sharp: Sharp,
  bytes: Buffer,
  isWhole: boolean,
): Promise<Buffer | 'whole' | null> => {
  const format = await detectFormat(bytes);
  // A longer buffer is the whole file, whose start an earlier call has already searched for an EXIF thumbnail.
  if (format === 'jpeg' && bytes.length <= thumbnailHeadBytes) {
    const stored = await readExifThumbnail(sharp, bytes).catch(() => null);
    if (stored) return stored;
  }
  if (!['jpeg', 'png', 'webp', 'avif', 'tiff', 'heic'].includes(format)) return null;
  if (!isWhole) return 'whole';
  // Only the preparation converts the colours of such a photo.
  if (format === 'avif' && readAvifLabel(bytes)) return null;
  return format === 'heic' ? readHeicThumbnail(sharp, bytes) : shrinkToThumbnail(sharp, bytes, format === 'jpeg');
};

/**
 * Creates a thumbnail as quickly as possible. Returns `whole` if the start of the file is not enough, and null if no
 * thumbnail can be created quickly.
 */
export const makeThumbnail = async (
  sharp: Sharp,
  bytes: Buffer,
  isWhole: boolean,
): Promise<Buffer | 'whole' | null> => {
  try {
    return await makeThumbnailByFormat(sharp, bytes, isWhole);
  } catch {
    return null;
  }
};
