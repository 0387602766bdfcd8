import type { SharpInput } from 'sharp';
import type { Sharp } from './sharpBackend.ts';

/** JPEG quality of what is uploaded. */
export const quality = 82;
/** Long edge of the small picture shown in lists, in pixels. */
export const thumbnailPx = 320;

/** An encoded JPEG with its size in pixels. */
export type Encoded = { data: Buffer; width: number; height: number };

/** Fits into a square without enlarging. */
export const within = (px: number) => ({ width: px, height: px, fit: 'inside', withoutEnlargement: true }) as const;

/** Turns a small picture that carries its own colour profile into an sRGB JPEG on white, without metadata. */
export const encodeJpeg = async (sharp: Sharp, small: SharpInput): Promise<Encoded> => {
  const encode = (ignoreIcc: boolean) =>
    sharp(small, { ignoreIcc })
      .flatten({ background: '#ffffff' })
      .toColourspace('srgb')
      .jpeg({ quality })
      .toBuffer({ resolveWithObject: true });
  // A colour profile that cannot be used is no reason to refuse a photo: its numbers are then taken as sRGB.
  const { data, info } = await encode(false).catch(() => encode(true));
  return { data, width: info.width, height: info.height };
};

/** The thumbnail of a prepared photo. Made from the JPEG, because that is shrunk while it is decoded. */
export const encodeThumbnail = async (sharp: Sharp, jpeg: SharpInput): Promise<Buffer> =>
  sharp(jpeg).resize(within(thumbnailPx)).jpeg({ quality }).toBuffer();
