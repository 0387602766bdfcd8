import { access } from 'node:fs/promises';
import { limits } from '../contract/index.ts';
import type { ItemsTable } from './items/itemsTable.ts';
import type { ListingsTable } from './store/listingsTable.ts';

/** A photo that a window asks for: a prepared one of this machine, or one of a listing by its place. */
export type PhotoRef = { photoId: string; size: 'thumb' | 'full' } | { listingId: string; index: number };
export type FoundPhoto = { path: string; contentType: string } | { bytes: Buffer; contentType: string };

const mostBytes = 30 * 1024 * 1024;

/** Finds the bytes of a photo; null when there are none. Windows load no picture from anywhere else. */
export const findPhoto =
  (items: ItemsTable, listings: ListingsTable, account: () => string) =>
  async (ref: PhotoRef): Promise<FoundPhoto | null> => {
    if ('listingId' in ref) {
      const url = listings.read(account(), ref.listingId)?.listing.imageUrls?.[ref.index];
      return url === undefined ? null : fetchPhoto(url);
    }
    const photo = items.photo(ref.photoId);
    const path = ref.size === 'thumb' ? photo?.thumb_path : photo?.path;
    if (
      !path ||
      !(await access(path).then(
        () => true,
        () => false,
      ))
    )
      return null;
    return { path, contentType: photo?.content_type ?? 'image/jpeg' };
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
