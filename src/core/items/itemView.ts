import { limits } from '../../contract/index.ts';
import { warnings } from '../../photoContract/messages.ts';
import { noEdits } from '../../photoContract/constants.ts';
import { formatEnglishMessage } from '../../i18n/english.ts';
import { createMessage, type Message } from '../../i18n/message.ts';
import { listItemBarcodes } from './barcodes.ts';
import { describeLabelPhoto } from '../shelf/labelPhotos.ts';
import {
  itemFields,
  getReviewReason,
  type ItemView,
  type PhotoChangeView,
  type PhotoView,
  type Step,
} from '../storage/tables/itemRecord.ts';
import type { ItemRow, PhotoRow } from '../storage/tables/itemsTable.ts';
import { isArrangeable, formatItemState, buildThumbnailUrl, type Trouble } from './itemState.ts';
import { createProblem } from '../base/problem.ts';
import { cutIntoSlices } from '../base/slices.ts';
import { isUnsettledChange } from '../storage/tables/photos/photoChangesTable.ts';
import type { ItemChangeLog } from './itemChanges.ts';
import type { ItemsContext } from './itemsContext.ts';
import type { ItemRunner } from './itemRunner.ts';
import { getTargetPhotoIds } from './photoChange/comparePhotos.ts';
import type { PhotoChangeRunner } from './photoChange/photoChangeRunner.ts';

export type RuntimeFacts = {
  placeInLine: number | null;
  trouble: Trouble | null;
  now: number;
  title: string | null;
  cap: number;
  sku: string | null;
  sending: ReadonlyMap<string, number>;
  photoChange: PhotoChangeView | null;
};

const toItemView = (item: ItemRow, photos: PhotoRow[], removed: PhotoRow[], passing: RuntimeFacts): ItemView => {
  const prepared = photos.filter((photo) => photo.state !== 'waiting').length;
  const going = photos.filter((photo) => photo.state === 'ready');
  const uploaded = going.filter((photo) => photo.uploaded_at !== null).length;
  const arrangeable = isArrangeable(item, photos);
  const names = mapPhotoNames(photos);
  const reviewReason = getReviewReason(item.review_reason);
  const says = formatItemState({
    step: item.step,
    stop: item.stop,
    ready: item.step === 'photos' ? prepared : going.length,
    photos: photos.length,
    uploaded,
    placeInLine: passing.placeInLine,
    trouble: passing.trouble,
    long: isLongGeneration(item.writing_since, passing.now),
  });
  return {
    itemId: item.item_id,
    name: item.name,
    privateParts: item.private_words,
    title: passing.title,
    step: item.step,
    stop: item.stop,
    words: formatEnglishMessage(says),
    says,
    progress: getStepProgress(item.step, { prepared, photos: photos.length, uploaded, going: going.length }),
    sent: item.step === 'upload' ? getSentProgress(going, passing.sending) : null,
    photos: toPhotoViews(photos, names, passing),
    removedPhotos: toPhotoViews(removed, names, passing),
    overCap: countPhotosOverCap(photos, passing.cap),
    reviewReason,
    arrangeable,
    checked: item.checked_at !== null,
    photoChange: passing.photoChange,
    mayChangeListingPhotos: canChangeListingPhotos(item, photos),
    deferrable: arrangeable && reviewReason === null && item.stop === null,
    barcodes: listItemBarcodes(item, photos),
    listingId: item.listing_id,
    ...itemFields.parse(item),
    noteOpen: item.draft_sent_at === null,
    text: item.text === null ? null : { name: item.text_name ?? '', text: item.text, used: item.text_used === 1 },
    quantity: item.quantity,
    template: {
      templateId: item.template_id === '' ? null : (item.template_id ?? undefined),
      mayChange: item.draft_sent_at === null && item.listing_id === null,
    },
    by: item.by.kind === 'person' ? 'you' : item.by.name,
    createdAt: item.created_at,
    updatedAt: item.updated_at,
  };
};

/** Returns whether a generation takes longer than usual. */
export const isLongGeneration = (since: number | null, now: number): boolean =>
  since !== null && now - since > limits.longWritingMs;

type Counts = { prepared: number; photos: number; uploaded: number; going: number };

/** Returns the progress of the step; null if the step has none. */
export const getStepProgress = (step: Step, counts: Counts): ItemView['progress'] => {
  if (step === 'photos') return { done: counts.prepared, total: counts.photos };
  return step === 'upload' ? { done: counts.uploaded, total: counts.going } : null;
};

const getSentProgress = (going: readonly PhotoRow[], sending: RuntimeFacts['sending']): ItemView['sent'] => ({
  bytes: going.reduce((sum, { photo_id, uploaded_at, bytes }) => {
    return sum + (uploaded_at === null ? (sending.get(photo_id) ?? 0) : (bytes ?? 0));
  }, 0),
  total: going.reduce((sum, { bytes }) => sum + (bytes ?? 0), 0),
});

const countPhotosOverCap = (photos: readonly PhotoRow[], cap: number): number => {
  const wanted = photos.filter(({ state, aside }) => state !== 'refused' && (aside === null || aside === 'over_cap'));
  return Math.max(0, wanted.length - cap);
};

type PhotoSurroundings = Pick<RuntimeFacts, 'cap' | 'sku'>;

const formatPhotoNotice = (
  photo: PhotoRow,
  names: ReadonlyMap<string, string>,
  { cap, sku }: PhotoSurroundings,
): Message | undefined => {
  if (photo.state === 'refused' || photo.state === 'waiting')
    return photo.code === null ? undefined : { key: `refusals.${photo.code}` };
  if (photo.aside === 'over_cap') return createMessage('aside.over_cap', { most: cap });
  if (photo.aside === 'person') return createMessage('aside.person');
  if (photo.aside === 'label') return describeLabelPhoto(photo, sku);
  const name = names.get(photo.duplicate_of ?? '');
  return photo.aside === 'duplicate' && name !== undefined ? createMessage('aside.duplicate', { name }) : undefined;
};

const toPhotoView = (photo: PhotoRow, names: ReadonlyMap<string, string>, around: PhotoSurroundings): PhotoView => ({
  photoId: photo.photo_id,
  name: photo.name,
  state: photo.state,
  sentence: photo.sentence,
  says: formatPhotoNotice(photo, names, around),
  aside: photo.aside,
  duplicateOf: photo.duplicate_of,
  warnings: photo.warnings.map((code) => ({ code, sentence: warnings[code] })),
  takenAt: photo.taken_at,
  edits: photo.edits ?? noEdits,
  // Windows cache pictures by URL, so a changed picture needs another URL.
  thumbUrl: photo.thumb_path === null ? null : buildThumbnailUrl(photo.photo_id, photo.sha256),
  fullUrl: photo.path === null ? null : `/photos/${photo.photo_id}/full?${getPictureVersion(photo)}`,
  width: photo.width,
  height: photo.height,
  uploaded: photo.uploaded_at !== null,
});

/** Returns the names of photos by id. */
const mapPhotoNames = (photos: readonly PhotoRow[]): Map<string, string> =>
  new Map(photos.map(({ photo_id, name }) => [photo_id, name]));

const toPhotoViews = (
  photos: readonly PhotoRow[],
  names: ReadonlyMap<string, string>,
  around: PhotoSurroundings,
): PhotoView[] => photos.map((photo) => toPhotoView(photo, names, around));

/** Returns whether all photos of the item's listing are on this computer and can still be changed. */
export const canChangeListingPhotos = (item: ItemRow, photos: readonly PhotoRow[]): boolean =>
  item.step === 'review' &&
  item.stop === null &&
  item.listing_id !== null &&
  item.photos_from === 0 &&
  photos.some(({ state }) => state === 'ready');

const readPhotoChangeView = (
  { table, sentBytes }: ItemsContext,
  { item_id: itemId, step }: ItemRow,
  { trouble, sku }: { trouble: Message | null; sku: string | null },
): PhotoChangeView | null => {
  const change = step === 'review' || step === 'live' ? table.photoChanges.read(itemId) : null;
  if (change === null || (step === 'live' && change.stage !== 'left')) return null;
  const photos = getTargetPhotoIds(change).flatMap((photoId) => table.photo(photoId) ?? []);
  const changed = photos.filter((_, at) => change.before[at] !== change.wished[at]);
  return {
    stage: change.stage,
    isCancelled: change.cancelled === 1,
    isChanged: changed.length > 0,
    isUnsettled: isUnsettledChange(change),
    photos: toPhotoViews(photos, mapPhotoNames(photos), { cap: photos.length, sku }),
    shownUrls:
      change.stage === 'mixed' || change.stage === 'differs' ? change.shown.map((hash) => `/bound-photos/${hash}`) : [],
    progress: { done: changed.filter(({ uploaded_at: at }) => at !== null).length, total: changed.length },
    sent: change.stage === 'sending' ? getSentProgress(changed, sentBytes) : null,
    trouble,
    problem: change.problem,
  };
};

const getPictureVersion = ({ sha256, thumb_path }: PhotoRow): string =>
  sha256?.slice(0, 12) ?? (thumb_path === null ? '' : 'thumbnail');

const viewChunkSize = 100;

export type ItemReader = {
  /** Reads an item. Throws `NOT_FOUND`. */
  need: (itemId: string) => ItemRow;
  view: (item: ItemRow) => ItemView;
  views: (itemIds: readonly string[]) => Iterable<ItemView[]>;
  ofAssistant: (assistantId: string, mark: string | null) => { mark: string; itemIds: string[] };
};

export const createItemReader = (
  context: ItemsContext,
  runner: Pick<ItemRunner, 'trouble'> & { photoTrouble: PhotoChangeRunner['trouble'] },
  changes: ItemChangeLog,
): ItemReader => {
  const { table, clock, account } = context;
  const view = (item: ItemRow): ItemView => {
    const sku = table.shelf.ofItem(item.account, item.item_id)?.fields.sku ?? null;
    return toItemView(item, table.photos(item.item_id), table.removedPhotos(item.item_id), {
      placeInLine: context.writingSemaphore.position(item.item_id),
      trouble: runner.trouble(item.item_id, item.step),
      now: clock.now(),
      title: (item.listing_id && context.listings.read(item.account, item.listing_id)?.title) || null,
      cap: context.photoCap(),
      sku,
      sending: context.sentBytes,
      photoChange: readPhotoChangeView(context, item, { trouble: runner.photoTrouble(item.item_id), sku }),
    });
  };
  return {
    need: (itemId) => {
      const item = table.read(itemId);
      if (!item || item.account !== account()) throw createProblem('NOT_FOUND.item');
      return item;
    },
    view,
    *views(itemIds) {
      for (const chunk of cutIntoSlices(itemIds, viewChunkSize))
        yield chunk.flatMap((itemId) => {
          const item = table.read(itemId);
          return item ? [view(item)] : [];
        });
    },
    ofAssistant: (assistantId, mark) => {
      const isNew = changes.since(mark, account());
      // If an item leaves the queue, the position of every item behind it changes.
      const hasQueuePosition = (itemId: string): boolean => context.writingSemaphore.position(itemId) !== null;
      const itemIds = table.pages.ofAssistant(account(), assistantId).filter((id) => isNew(id) || hasQueuePosition(id));
      return { mark: changes.mark(account()), itemIds };
    },
  };
};
