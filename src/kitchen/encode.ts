import { rawInput, type Pixels } from './pixels.ts';
import type { Sharp } from './sharpBackend.ts';
import type { PhotoFormat } from '../photoContract/messages.ts';
import { quality } from '../photoContract/constants.ts';

/** Long edge of the small picture shown in lists, in pixels. */
export const thumbnailPx = 320;

/** Fits into a square without enlarging. */
export const within = (px: number) => ({ width: px, height: px, fit: 'inside', withoutEnlargement: true }) as const;

/** How photos are shrunk: two lobes look like the usual three, and take 7 of 100 off the whole work. */
export const shrinking = (px: number) => ({ ...within(px), kernel: 'lanczos2' }) as const;

/** More effort makes WebP files of 12 MP photos 3 % smaller and takes twice as long. */
const effort = 2;

/** Encodes sRGB pixels without metadata. */
export const encodePhoto = (sharp: Sharp, pixels: Pixels, format: PhotoFormat): Promise<Buffer> => {
  const picture = sharp(pixels.data, rawInput(pixels));
  // Coding tables made for the picture save 2 of 100 bytes and take longer than all the rest of the encoder.
  return format === 'webp'
    ? picture.webp({ quality, effort }).toBuffer()
    : picture.jpeg({ quality, optimiseCoding: false }).toBuffer();
};

/** The thumbnail of sRGB pixels, a JPEG without metadata. */
export const encodeThumbnail = (sharp: Sharp, pixels: Pixels): Promise<Buffer> =>
  sharp(pixels.data, rawInput(pixels))
    .resize({ ...within(thumbnailPx), kernel: 'linear' })
    .jpeg({ quality })
    .toBuffer();
