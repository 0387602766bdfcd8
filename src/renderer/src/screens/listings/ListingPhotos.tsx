import type { Listing, PhotoView } from '../../api/types.ts';
import { t } from '../../i18n/t.ts';
import { LookablePhotos } from '../items/photo/LookablePhotos.tsx';

const photoAt = (listingId: string, at: number, of: number): PhotoView => {
  const url = `/listing-photos/${encodeURIComponent(listingId)}/${at}`;
  return {
    photoId: `${listingId} ${at}`,
    name: t('parts.photos.place', { at: at + 1, of }),
    state: 'ready',
    sentence: null,
    aside: null,
    duplicateOf: null,
    warnings: [],
    takenAt: null,
    edits: { quarterTurns: 0, straightenDeg: 0, crop: null, brighten: 0 },
    thumbUrl: url,
    fullUrl: url,
    width: null,
    height: null,
    uploaded: true,
  };
};

/** The photos of a listing as the service has them, by way of this window's own origin. */
export const ListingPhotos = ({ listing: { listingId, imageUrls } }: { listing: Listing }) => {
  const urls = imageUrls ?? [];
  return <LookablePhotos photos={urls.map((_, at) => photoAt(listingId, at, urls.length))} />;
};
