import type { Barcode, PhotoReading } from '../reading.ts';
import { barcodesOf } from './barcodes.ts';
import { coloursOf } from './colours.ts';
import { openPicture, sizeOf, softened, type Picture } from './picture.ts';
import { sharpnessOf } from './sharpness.ts';
import { textOf } from './text.ts';

const workingSide = 1600;

// Below this there is nothing for a text reader to find, and it complains about such pictures.
const smallestTextSide = 48;

const codesOf = async (picture: Picture): Promise<Barcode[]> => {
  const crisp = await barcodesOf(picture);
  return crisp.length > 0 ? crisp : barcodesOf(await softened(picture));
};

/** Everything one photo shows, read at a working size of 1600 px. */
export const readPhoto = async (path: string): Promise<PhotoReading> => {
  const size = await sizeOf(path);
  const picture = await openPicture(path, workingSide);
  const barcodes = await codesOf(picture);
  const legible = Math.min(picture.width, picture.height) >= smallestTextSide;
  return {
    ...size,
    sharpness: await sharpnessOf(picture),
    barcodes,
    // Without a text reader there is less to say, but the photo is still a photo.
    lines: legible ? await textOf(picture).catch(() => []) : [],
    colours: await coloursOf(picture),
  };
};

/** Only the barcodes of a photo, at its full size: small codes in large photos. */
export const readFullSizeBarcodes = async (path: string): Promise<PhotoReading> => {
  const size = await sizeOf(path);
  const small = Math.max(size.width, size.height) <= workingSide;
  const barcodes = small ? [] : await barcodesOf(await openPicture(path));
  return { ...size, sharpness: 0, barcodes, lines: [], colours: [] };
};
