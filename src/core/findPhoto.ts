import { access } from 'node:fs/promises';
import { limits } from '../contract/index.ts';
import type { CoreParts } from './openParts.ts';

/** A photo that a window asks for: a prepared one of this machine, or one of a listing by its place. */
export type PhotoRef = { photoId: string; size: 'thumb' | 'full' } | { listingId: string; index: number };
export type FoundPhoto = { path: string; contentType: string } | { bytes: Buffer; contentType: string };

const mostBytes = 30 * 1024 * 1024;

/** Finds the bytes of a photo; null when there are none. Windows load no picture from anywhere else. */
export const findPhoto =
  ({ itemsTable, listings, connection }: CoreParts, serviceOrigin: string) =>
  async (ref: PhotoRef): Promise<FoundPhoto | null> => {
    if ('listingId' in ref) {
      const url = listings.read(connection.account(), ref.listingId)?.imageUrls?.[ref.index];
      return url !== undefined && isPublic(url, serviceOrigin) ? fetchPhoto(url) : null;
    }
    const photo = itemsTable.photo(ref.photoId);
    const path = ref.size === 'thumb' ? photo?.thumb_path : photo?.path;
    if (!path || !(await isThere(path))) return null;
    return { path, contentType: (ref.size === 'full' && photo?.content_type) || 'image/jpeg' };
  };

const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

/** A picture's address is data of the service: only https, or the service itself, is ever asked. */
const isPublic = (text: string, serviceOrigin: string): boolean => {
  const url = URL.canParse(text) ? new URL(text) : null;
  return url !== null && (url.protocol === 'https:' || url.origin === serviceOrigin);
};

const fetchPhoto = async (url: string): Promise<FoundPhoto | null> => {
  try {
    const response = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(20_000) });
    const contentType = response.headers.get('content-type')?.split(';')[0] ?? '';
    const known = limits.photoTypes.find((type) => type === contentType);
    if (!response.ok || !known || Number(response.headers.get('content-length') ?? 0) > mostBytes) return null;
    const bytes = Buffer.from(await response.arrayBuffer());
    return bytes.length > mostBytes ? null : { bytes, contentType: known };
  } catch {
    return null;
  }
};
