import type { Looks } from './looksLike.ts';
import { RefusedPhoto, type RefusalCode } from './refusals.ts';
import type { Sharp } from './sharpBackend.ts';
import { shrinkHeic } from './shrinkHeic.ts';
import { shrinkRaster } from './shrinkRaster.ts';
import type { Asked, Shrunk } from './shrunk.ts';

const refusedLooks: Partial<Record<Looks, RefusalCode>> = {
  empty: 'EMPTY_FILE',
  svg: 'SVG',
  pdf: 'PDF',
  video: 'VIDEO',
  raw: 'CAMERA_RAW',
  otherPicture: 'OTHER_PICTURE',
  other: 'NOT_A_PHOTO',
};

/** Decodes a photo to small upright pixels, whatever kind it is. Throws RefusedPhoto. */
export const shrink = (sharp: Sharp, looks: Looks, bytes: Buffer, asked: Asked): Promise<Shrunk> => {
  const refused = refusedLooks[looks];
  if (refused) throw new RefusedPhoto(refused);
  return looks === 'heic' ? shrinkHeic(sharp, bytes, asked) : shrinkRaster(sharp, looks, bytes, asked);
};
