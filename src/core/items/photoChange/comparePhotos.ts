import type { PhotoRow } from '../../storage/tables/itemsTable.ts';
import type { PhotoChangeRow } from '../../storage/tables/photos/photoChangesTable.ts';
import { countDifferingBits } from '../../photos/photoLikeness.ts';
import type { ItemsContext } from '../itemsContext.ts';

/**
 * If the service encodes photos again, a photo counts as the same if its hash differs in at most this many of 64 bits.
 * The limit is stricter than for duplicates, because the outcome of a change depends on it.
 */
const maxBits = 3;
const allBits = 64;

/** Whether the listing shows the photo that it must get and whether it shows the former photo at a place. */
export type ShownPlace = { isWished: boolean; isFormer: boolean };

/** Returns the photos that the listing must get. A cancelled change restores the former photos. */
export const getTargetPhotoIds = ({ before, wished, cancelled }: PhotoChangeRow): string[] =>
  cancelled === 1 ? before : wished;

const readPictureHash = async (
  { workers, boundPhotos, preparedDir, settings }: ItemsContext,
  sha256: string,
  signal: AbortSignal,
): Promise<string | null> => {
  const { longEdgePx } = settings();
  const source = boundPhotos.getPath(sha256);
  const made = await workers.prepare({ source, root: null, outDir: preparedDir, longEdgePx }, signal);
  return made.ok ? made.hash64 : null;
};

const countBitsThatDiffer = (photo: PhotoRow | null, hash64: string): number =>
  photo?.hash64 == null ? allBits : countDifferingBits(photo.hash64, hash64);

type PlacePhotos = { next: PhotoRow | null; former: PhotoRow | null; shown: string; baseline: string | undefined };
type PlaceMatch = { isNext: boolean; isFormer: boolean };

/** Compares pictures if the bytes are neither those that were sent nor those that the listing showed before. */
const comparePictures = async (
  context: ItemsContext,
  { next, former, shown, baseline }: PlacePhotos,
  signal: AbortSignal,
): Promise<PlaceMatch> => {
  const hash64 = await readPictureHash(context, shown, signal);
  if (hash64 === null) return { isNext: false, isFormer: false };
  const bits = { next: countBitsThatDiffer(next, hash64), former: countBitsThatDiffer(former, hash64) };
  if (next?.photo_id === former?.photo_id) return { isNext: bits.next <= maxBits, isFormer: bits.former <= maxBits };
  // Before anything was sent, the photo can only be the former one. Afterwards the bytes are new, so if both photos look
  // alike, it is the one that was sent.
  const isReplaced = baseline !== undefined && bits.next <= bits.former;
  return { isNext: isReplaced && bits.next <= maxBits, isFormer: !isReplaced && bits.former <= maxBits };
};

const comparePlace = async (context: ItemsContext, place: PlacePhotos, signal: AbortSignal): Promise<PlaceMatch> => {
  const { next, former, shown, baseline } = place;
  const exact = { isNext: shown === next?.sha256, isFormer: shown === former?.sha256 };
  if (exact.isNext || exact.isFormer) return exact;
  if (shown === baseline) return { isNext: next?.photo_id === former?.photo_id, isFormer: true };
  return comparePictures(context, place, signal);
};

/**
 * Compares the photos that the listing shows with the new and the former photos of each place. Returns null if the
 * number of photos differs.
 */
export const compareShownPhotos = async (
  context: ItemsContext,
  change: PhotoChangeRow,
  shown: readonly string[],
  signal: AbortSignal,
): Promise<ShownPlace[] | null> => {
  if (shown.length !== change.before.length) return null;
  const places: ShownPlace[] = [];
  for (const [at, sha256] of shown.entries()) {
    const next = context.table.photo(change.wished[at] ?? '');
    const former = context.table.photo(change.before[at] ?? '');
    const place = { next, former, shown: sha256, baseline: change.baseline[at] };
    const { isNext, isFormer } = await comparePlace(context, place, signal);
    places.push({ isWished: change.cancelled === 1 ? isFormer : isNext, isFormer });
  }
  return places;
};
