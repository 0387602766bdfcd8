import { limits } from '../../contract/index.ts';
import { headBytes, looksLike } from './looksLike.ts';

type PhotoType = (typeof limits.photoTypes)[number];

/** The content type of bytes that the service takes as a photo, told from the bytes alone; null for any others. */
export const photoTypeOf = async (bytes: Uint8Array): Promise<PhotoType | null> => {
  const looks = await looksLike(bytes.subarray(0, headBytes));
  return limits.photoTypes.find((type) => type === `image/${looks}`) ?? null;
};
