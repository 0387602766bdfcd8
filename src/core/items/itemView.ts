import { limits } from '../../contract/index.ts';
import type { ItemView, PhotoView, Step } from './item.ts';
import type { ItemRow, PhotoRow } from './itemsTable.ts';
import { itemWords } from './words.ts';

/** What is known of an item only while the companion runs. */
export type Passing = { placeInLine: number | null; trouble: string | null; now: number; title: string | null };

/** An item as windows and assistants see it. */
export const itemView = (item: ItemRow, photos: PhotoRow[], passing: Passing): ItemView => {
  const prepared = photos.filter((photo) => photo.state !== 'waiting').length;
  const going = photos.filter((photo) => photo.state === 'ready');
  const uploaded = going.filter((photo) => photo.uploaded_at !== null).length;
  const long = item.writing_since !== null && passing.now - item.writing_since > limits.longWritingMs;
  return {
    itemId: item.item_id,
    name: item.name,
    title: passing.title,
    step: item.step,
    stop: item.stop,
    words: itemWords({
      step: item.step,
      stop: item.stop,
      ready: item.step === 'photos' ? prepared : going.length,
      photos: photos.length,
      uploaded,
      placeInLine: passing.placeInLine,
      trouble: passing.trouble,
      long,
    }),
    progress: progressOf(item.step, { prepared, photos: photos.length, uploaded, going: going.length }),
    photos: photos.map(photoView),
    listingId: item.listing_id,
    note: item.note,
    quantity: item.quantity,
    by: item.by.kind === 'person' ? 'you' : item.by.name,
    createdAt: item.created_at,
    updatedAt: item.updated_at,
  };
};

type Counts = { prepared: number; photos: number; uploaded: number; going: number };

const progressOf = (step: Step, counts: Counts): ItemView['progress'] => {
  if (step === 'photos') return { done: counts.prepared, total: counts.photos };
  return step === 'upload' ? { done: counts.uploaded, total: counts.going } : null;
};

const photoView = (photo: PhotoRow): PhotoView => ({
  photoId: photo.photo_id,
  name: photo.name,
  state: photo.state,
  sentence: photo.sentence,
  // The state in the address makes the quick thumbnail give way to the prepared one.
  thumbUrl: photo.thumb_path === null ? null : `/photos/${photo.photo_id}/thumb?${photo.state}`,
  fullUrl: photo.path === null ? null : `/photos/${photo.photo_id}/full`,
  width: photo.width,
  height: photo.height,
  uploaded: photo.uploaded_at !== null,
});
