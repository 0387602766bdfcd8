import { Readable } from 'node:stream';
import type { ItemView } from '../storage/tables/itemRecord.ts';
import type { Items } from '../items/items.ts';
import type { StartedItem, ItemCall, SkippedPhoto } from '../storage/tables/begunCallsTable.ts';
import type { GenerationWishes } from '../storage/tables/itemsTable.ts';
import { createBoundedMap } from '../base/boundedMap.ts';
import { waitForChange } from '../base/events.ts';
import type { Clock, Topic } from '../base/ports.ts';
import { hashCanonicalJson } from '../base/json.ts';
import { Problem, createProblem } from '../base/problem.ts';
import {
  type PhotoIntake,
  limitPhotoBytes,
  refuseTooLargeBody,
  type PhotoBody,
  type UploadQueue,
} from '../photos/photoIntake.ts';
import { createAllowedPhotoCopier, type CopiedPhotos } from './allowedPhotos.ts';
import type { AssistantRegistry } from './assistants.ts';
import type { AssistantShelfChanges } from './assistantShelf.ts';
import type { AddedPhotos, AddListingPhotos } from './listingPhotos.ts';
import type { Scope } from './scope.ts';
import type { Asker, AssistantAsker } from '../base/request.ts';
import { createSemaphore, type Semaphore } from '../base/semaphore.ts';

export type PhotoSourceRequest = { folder?: string | undefined; photos?: string[] | undefined };
export type ItemRequest = PhotoSourceRequest & {
  note?: string | undefined;
  shelf?: AssistantShelfChanges | undefined;
} & GenerationWishes;

type ReadPicture = (
  listingId: string,
  index: number,
  signal: AbortSignal,
) => Promise<{ bytes: Uint8Array; contentType: string } | null>;

type Parts = {
  intake: PhotoIntake;
  items: Items;
  limits: AssistantRegistry['limits'];
  /** Throws if the assistant is paused or revoked, or belongs to another account. */
  checkAccess: (by: Asker) => void;
  scope: Scope;
  listingPhotos: AddListingPhotos;
  pictures: Record<'read' | 'small', ReadPicture>;
  uploadLine: UploadQueue;
  clock: Clock;
  onChanged: (listener: (topic: Topic) => void) => () => void;
};

/** An idle item changes only when the person does something. */
const isItemIdle = ({ step, stop }: ItemView): boolean =>
  stop !== null || step === 'review' || step === 'live' || step === 'ended' || step === 'arranging';

const waitUntilItemsIdle = async (
  parts: Pick<Parts, 'clock' | 'onChanged'>,
  read: () => ItemView[],
  waitMs: number,
  signal: AbortSignal | undefined,
): Promise<ItemView[]> => {
  const until = parts.clock.elapsedMs() + waitMs;
  const runningIds = new Set<string>();
  for (;;) {
    const now = read();
    const left = until - parts.clock.elapsedMs();
    const hasStopped = now.some(({ itemId, stop }) => stop !== null && runningIds.has(itemId));
    if (hasStopped || left <= 0 || now.every(isItemIdle)) return now;
    for (const item of now) if (!isItemIdle(item)) runningIds.add(item.itemId);
    await waitForChange(parts, 'items', left, signal);
  }
};

const requireAnyPhoto = ({ photos, left }: CopiedPhotos): void => {
  if (photos.length > 0) return;
  const first = left.find(({ code }) => code !== 'LINK_OUTSIDE');
  if (first) throw new Problem(first.code, first.error, { field: 'photos' });
  throw createProblem(left.length > 0 ? 'NO_PHOTOS_FOUND.onlyLinks' : 'NO_PHOTOS_FOUND.asked');
};

/** Per assistant: `atOnce` limits the reads in flight, `most` the reads in flight or queued. */
const pictureLimits = { atOnce: 2, most: 16 };

/** Each assistant has its own queue, so that slow reads of one assistant do not block another. */
const createPictureQueueRunner = () => {
  const lines = new Map<string, { places: Semaphore; count: number }>();
  return async <T>({ assistantId }: AssistantAsker, signal: AbortSignal, work: () => Promise<T>): Promise<T> => {
    const line = lines.get(assistantId) ?? { places: createSemaphore(pictureLimits.atOnce), count: 0 };
    if (line.count >= pictureLimits.most) throw createProblem('SLOW_DOWN', { retryAfterS: 5 });
    line.count += 1;
    lines.set(assistantId, line);
    try {
      const leave = await line.places.acquire('photo', signal);
      return await work().finally(leave);
    } finally {
      line.count -= 1;
      if (line.count === 0) lines.delete(assistantId);
    }
  };
};

const createPictureReader = ({ checkAccess, scope, pictures: read }: Parts) => {
  const inLine = createPictureQueueRunner();
  return async (
    by: AssistantAsker,
    size: 'read' | 'small',
    { listingId, index }: { listingId: string; index: number },
    signal: AbortSignal,
  ): ReturnType<ReadPicture> => {
    const requireListingAccess = (): void => {
      checkAccess(by);
      scope.checkListing(by, { params: { listingId } });
    };
    requireListingAccess();
    const found = await inLine(by, signal, () => read[size](listingId, index, signal));
    // Access might have been revoked during the await, so check again.
    requireListingAccess();
    return found;
  };
};

/** `check` runs again before each photo and throws when the access of the assistant has ended. */
const createPhotoCopier = ({ limits, intake, items }: Parts) => {
  const copier = createAllowedPhotoCopier(intake, items.readFolderPattern);
  return async (
    by: AssistantAsker,
    { folder, photos }: PhotoSourceRequest,
    check: () => void,
  ): Promise<CopiedPhotos> => {
    const getAllowedFolders = (): string[] => {
      check();
      return limits(by.assistantId)?.folders ?? [];
    };
    check();
    if (folder !== undefined) return copier.copyFolder(getAllowedFolders, folder);
    if (photos !== undefined && photos.length > 0) return copier.copyPhotos(getAllowedFolders, photos);
    throw createProblem('INVALID_REQUEST.nothingNamed', { field: 'folder' });
  };
};

type AddedItem = {
  itemId: string;
  left: SkippedPhoto[];
  replayed: boolean;
  /** The assistant's own items among those that already have the photos; null if no item has them. */
  sameAs: string[] | null;
  /** Whether an earlier, finished call created the item. */
  isListed: boolean;
};

const isAddedBy = ({ by }: { by: Asker }, { assistantId }: AssistantAsker): boolean =>
  by.kind === 'assistant' && by.assistantId === assistantId;

/** An assistant that may see only its own listings learns nothing of the items of others. */
const findOwnItemsOfSamePhotos = async (
  { items, scope }: Pick<Parts, 'items' | 'scope'>,
  asker: AssistantAsker,
  photos: readonly { source: string }[],
): Promise<string[] | null> => {
  const known = await items.findRepeatedPhotos(photos.map(({ source }) => ({ source, root: null })));
  if (photos.some(({ source }) => !known.has(source))) return null;
  const own = [...new Set(known.values())].filter((itemId) => isAddedBy(items.need(itemId), asker));
  return own.length > 0 || scope.seesAll(asker) ? own : null;
};

/**
 * A repeated call gets the result of the first call, even after a crash. Throws `IDEMPOTENCY_KEY_REUSED` if the key was
 * used for a different request.
 */
const createIdempotentStarter = (items: Pick<Items, 'begunBy'>) => {
  type Begun = Pick<StartedItem, 'itemId' | 'left'> & Pick<AddedItem, 'sameAs' | 'isListed'>;
  const startsInFlight = new Map<string, { wish: string; made: Promise<Begun> }>();
  return async (call: ItemCall, begin: () => Promise<Begun>): Promise<AddedItem> => {
    const place = JSON.stringify([call.assistantId, call.key]);
    const before = startsInFlight.get(place) ?? items.begunBy(call);
    if (before && before.wish !== null && before.wish !== call.wish) throw createProblem('IDEMPOTENCY_KEY_REUSED');
    if (before)
      return { sameAs: null, isListed: false, ...('made' in before ? await before.made : before), replayed: true };
    const made = begin().finally(() => startsInFlight.delete(place));
    startsInFlight.set(place, { wish: call.wish, made });
    return { ...(await made), replayed: false };
  };
};

const minRetryIntervalMs = 2_000;
const maxRetriedItems = 1_000;

/** Each retry reads the standing from the service, so an assistant that repeats its call in a loop retries rarely. */
const createItemRetrier = ({ items, clock }: Pick<Parts, 'items' | 'clock'>) => {
  const retriedAtMs = createBoundedMap<string, number>(maxRetriedItems);
  return async (itemId: string): Promise<void> => {
    const nowMs = clock.elapsedMs();
    if (nowMs - (retriedAtMs.get(itemId) ?? -Infinity) < minRetryIntervalMs) return;
    retriedAtMs.set(itemId, nowMs);
    await items.retry(itemId);
  };
};

const createItemAdder = (
  { intake, items, limits, scope, clock }: Pick<Parts, 'intake' | 'items' | 'limits' | 'scope' | 'clock'>,
  checkDraftAccess: (by: AssistantAsker) => void,
  take: ReturnType<typeof createPhotoCopier>,
) => {
  const once = createIdempotentStarter(items);
  const retryItem = createItemRetrier({ items, clock });
  const checkAccess = (by: AssistantAsker, { shelf }: ItemRequest): void => {
    checkDraftAccess(by);
    if (shelf !== undefined && limits(by.assistantId)?.shelf !== true) throw createProblem('NOT_ALLOWED.shelf');
  };
  const startNewItem = async (
    by: AssistantAsker,
    wish: ItemRequest,
    call?: ItemCall,
  ): Promise<Omit<AddedItem, 'replayed'>> => {
    const taken = await take(by, wish, () => checkAccess(by, wish));
    requireAnyPhoto(taken);
    const { name, photos, left, privateParts = [] } = taken;
    const listed = call ? await items.findListedItem(call, photos) : null;
    if (listed) {
      await Promise.all(photos.map(({ source }) => intake.drop(source)));
      return { itemId: listed.itemId, left: listed.left, sameAs: null, isListed: true };
    }
    const set = {
      name,
      note: wish.note ?? taken.note ?? '',
      privateParts,
      reviewReason: items.hasUnseenPrivateParts(privateParts) ? ('privateWords' as const) : null,
      shelf: wish.shelf,
      call: call && { ...call, left },
      photos: photos.map((photo) => ({ ...photo, root: null, owned: true })),
    };
    const sameAs = await findOwnItemsOfSamePhotos({ items, scope }, by, photos);
    checkAccess(by, wish);
    const [itemId = ''] = await items.add([set], by, wish);
    return { itemId, left, sameAs, isListed: false };
  };
  return async (by: AssistantAsker, wish: ItemRequest, key?: string): Promise<AddedItem> => {
    checkAccess(by, wish);
    if (key === undefined) return { ...(await startNewItem(by, wish)), replayed: false };
    const call = { assistantId: by.assistantId, key, wish: hashCanonicalJson(wish) };
    const added = await once(call, () => startNewItem(by, wish, call));
    if (added.replayed) await retryItem(added.itemId);
    return added;
  };
};

const createListingPhotoAdder = (
  { intake, listingPhotos, scope, uploadLine }: Parts,
  requireDraftAccess: (by: AssistantAsker) => void,
  take: ReturnType<typeof createPhotoCopier>,
) => {
  const requireListingAccess = (by: AssistantAsker, listingId: string): void => {
    requireDraftAccess(by);
    scope.checkListing(by, { params: { listingId } });
  };
  return {
    /** Throws if the assistant loses its access during the call. */
    addPhotos: async (
      by: AssistantAsker,
      listingId: string,
      wish: PhotoSourceRequest,
      signal: AbortSignal,
    ): Promise<AddedPhotos> => {
      const rights = { check: () => requireListingAccess(by, listingId), signal };
      const { photos, left } = await take(by, wish, rights.check);
      const added = await listingPhotos(by, listingId, photos, rights);
      return { photos: added.photos, left: [...left, ...added.left] };
    },
    /** Adds one photo from a request body. Throws `PHOTO_TOO_LARGE`, `TOO_MANY_UPLOADS`. */
    addReceived: async (
      by: AssistantAsker,
      listingId: string,
      body: PhotoBody,
      signal: AbortSignal,
    ): Promise<AddedPhotos> => {
      requireListingAccess(by, listingId);
      refuseTooLargeBody(body);
      return uploadLine.run(listingId, signal, async () => {
        const { uploadId } = await intake.receive(Readable.from(limitPhotoBytes(body)));
        const source = await intake.take(uploadId);
        return listingPhotos(by, listingId, [{ name: 'photo', source }], {
          check: () => requireListingAccess(by, listingId),
          signal,
        });
      });
    },
  };
};

/** Creates the photo operations of assistants. */
export const createAssistantPhotoService = (parts: Parts) => {
  const { checkAccess, items, scope } = parts;

  const requireDraftAccess = (by: AssistantAsker): void => {
    checkAccess(by);
    scope.checkAct(by, 'createListing', false);
  };
  const requireOwnItem = (by: AssistantAsker, itemId: string): ItemView => {
    checkAccess(by);
    const row = items.need(itemId);
    if (!isAddedBy(row, by)) throw createProblem('NOT_FOUND.itemOfYours');
    return items.view(row);
  };
  const take = createPhotoCopier(parts);
  const add = createItemAdder(parts, requireDraftAccess, take);

  return {
    /** Throws if the access of the assistant has ended, or if the assistant cannot access the listing. */
    checkVisibility: (by: AssistantAsker, listingId?: string): void => {
      checkAccess(by);
      if (listingId !== undefined) scope.checkListing(by, { params: { listingId } });
    },
    /**
     * Throws if no photo can be used. A call that repeats a `key` within a day returns the item of the first call, and
     * resumes that item if it has stopped.
     */
    addItem: async (by: AssistantAsker, wish: ItemRequest, key?: string) => {
      const { itemId, ...rest } = await add(by, wish, key);
      return { item: requireOwnItem(by, itemId), ...rest };
    },
    /** After this, an identical call returns its finished item only for the same photos, until its listing ends. */
    markCallsDelivered: ({ assistantId }: AssistantAsker, keys: readonly string[]): void =>
      items.markCallsDelivered(assistantId, keys),
    /** Resolves when all items are idle, when one stops, or after `waitMs`. Throws `NOT_FOUND`. */
    waitForIdleItems: (
      by: AssistantAsker,
      ids: readonly string[],
      waitMs: number,
      signal?: AbortSignal,
    ): Promise<ItemView[]> => waitUntilItemsIdle(parts, () => ids.map((id) => requireOwnItem(by, id)), waitMs, signal),
    /**
     * Returns items, newest first. If `since` is the mark of an earlier call, returns only the items that have changed
     * since that call.
     */
    items: ({ assistantId }: AssistantAsker, since: string | null): { mark: string; some: Iterable<ItemView[]> } => {
      const { mark, itemIds } = items.ofAssistant(assistantId, since);
      return { mark, some: items.views(itemIds) };
    },
    /** Throws `NOT_YOUR_LISTING`, `PHOTOS_UNREADABLE`. */
    picture: createPictureReader(parts),
    ...createListingPhotoAdder(parts, requireDraftAccess, take),
  };
};
