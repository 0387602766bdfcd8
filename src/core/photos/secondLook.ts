import { readBarcodesIn } from './barcodes.ts';
import { looksLike } from './looksLike.ts';
import { greyOf } from './pixels.ts';
import { readOriginal, type Original } from './readOriginal.ts';
import { RefusedPhoto } from './refusals.ts';
import type { Sharp } from './sharpBackend.ts';
import { shrink } from './shrink.ts';
import type { Asked } from './shrunk.ts';
import type { Barcode } from '../storage/tables/photoRecord.ts';

/** One original to look at in full. */
export type BarcodeJob = Original;

/** Larger photos show a barcode large enough when they are shrunk to this; pixels of the long edge. */
const mostPx = 8_064;

/**
 * Reads barcodes from an original at its full size, for codes too small in the prepared photo. Empty when there are
 * none, or when the photo cannot be used. Takes as long as preparing it.
 */
export const secondLook = async (sharp: Sharp, job: BarcodeJob, admit: Asked['admit']): Promise<Barcode[]> => {
  try {
    const bytes = await readOriginal(job);
    const longEdgeOf = ({ width, height }: { width: number; height: number }) =>
      Math.min(mostPx, Math.max(width, height));
    const { pixels } = await shrink(sharp, await looksLike(bytes), bytes, { admit, longEdgeOf });
    return await readBarcodesIn(greyOf(pixels));
  } catch (error) {
    if (error instanceof RefusedPhoto) return [];
    throw error;
  }
};
