import * as z from 'zod';
import type { PhotoRef } from '../core/companion/openPhotos.ts';

const photo = z.tuple([z.literal('photos'), z.string().min(1).max(100), z.enum(['thumb', 'full'])]);
const listingPhoto = z.tuple([
  z.literal('listing-photos'),
  z.string().min(1).max(200),
  z.coerce.number().int().min(0).max(99),
]);
const boundPhoto = z.tuple([z.literal('bound-photos'), z.string().regex(/^[0-9a-f]{64}$/)]);

const decodePathPart = (part: string): string => {
  try {
    return decodeURIComponent(part);
  } catch {
    return '';
  }
};

/** Accepts `/photos/{photoId}/{thumb|full}`, `/listing-photos/{listingId}/{index}` and `/bound-photos/{sha256}`. */
export const parsePhotoPath = (pathname: string): PhotoRef | null => {
  const parts = pathname.split('/').slice(1).map(decodePathPart);
  const own = photo.safeParse(parts);
  if (own.success) return { photoId: own.data[1], size: own.data[2] };
  const bound = boundPhoto.safeParse(parts);
  if (bound.success) return { sha256: bound.data[1] };
  const listed = listingPhoto.safeParse(parts);
  return listed.success ? { listingId: listed.data[1], index: listed.data[2] } : null;
};

/** The picture at a path never changes. A picture must not run as a document when the browser opens it directly. */
export const photoHeaders = {
  'Cache-Control': 'private, max-age=31536000, immutable',
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; sandbox",
} as const;
