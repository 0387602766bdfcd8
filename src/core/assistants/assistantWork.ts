import { Readable } from 'node:stream';
import type { ItemView } from '../storage/tables/itemRecord.ts';
import type { Items } from '../items/items.ts';
import type { BegunItem, ItemCall, LeftPhoto } from '../storage/tables/begunCallsTable.ts';
import type { GenerationWishes } from '../storage/tables/itemsTable.ts';
import { nextChange } from '../base/events.ts';
import type { Clock, Topic } from '../base/ports.ts';
import { digestOf } from '../base/json.ts';
import { Problem, problem } from '../base/problem.ts';
import { type Intake, capped, checkLength, type PhotoBody, type UploadLine } from '../photos/intake.ts';
import { createAllowedPhotos, type TakenPhotos } from './allowedPhotos.ts';
import type { Assistants } from './assistants.ts';
import type { AddedPhotos, AddListingPhotos } from './listingPhotos.ts';
import type { Scope } from './scope.ts';
import type { Asker } from '../base/request.ts';
import { createSemaphore, type Semaphore } from '../base/semaphore.ts';

export type Assistant = Asker & { kind: 'assistant' };
export type PhotoSourceRequest = { folder?: string | undefined; photos?: string[] | undefined };
export type ItemRequest = PhotoSourceRequest & { note?: string | undefined } & GenerationWishes;

/** Reads a photo of a listing by its index, from 0; null if there is none. */
type ReadPicture = (
  listingId: string,
  index: number,
  signal: AbortSignal,
) => Promise<{ bytes: Uint8Array; contentType: string } | null>;

type Parts = {
  intake: Intake;
  items: Items;
  limits: Assistants['limits'];
  /** Throws if the assistant is paused or revoked, or belongs to another account. */
  checkAccess: (by: Asker) => void;
  scope: Scope;
  listingPhotos: AddListingPhotos;
  pictures: Record<'read' | 'small', ReadPicture>;
  uploadLine: UploadLine;
  clock: Clock;
  onChanged: (listener: (topic: Topic) => void) => () => void;
};

/** An idle item waits for the person or has reached an end state; other items progress without input. */
const rests = ({ step, stop }: ItemView): boolean =>
  stop !== null || step === 'review' || step === 'live' || step === 'ended' || step === 'arranging';

/** Returns the items once all are idle, one that was running has stopped with a reason, or `waitMs` have passed. */
const onceTheyRest = async (
  parts: Pick<Parts, 'clock' | 'onChanged'>,
  read: () => ItemView[],
  waitMs: number,
  signal: AbortSignal | undefined,
): Promise<ItemView[]> => {
  const until = parts.clock.elapsedMs() + waitMs;
  const wentOn = new Set<string>();
  for (;;) {
    const now = read();
    const left = until - parts.clock.elapsedMs();
    const hasStopped = now.some(({ itemId, stop }) => stop !== null && wentOn.has(itemId));
    if (hasStopped || left <= 0 || now.every(rests)) return now;
    for (const item of now) if (!rests(item)) wentOn.add(item.itemId);
    await nextChange(parts, 'items', left, signal);
  }
};

/** Throws the reason if none of the photos can be used. */
const needPhotos = ({ photos, left }: TakenPhotos): void => {
  if (photos.length > 0) return;
  const first = left.find(({ code }) => code !== 'LINK_OUTSIDE');
  if (first) throw new Problem(first.code, first.error, { field: 'photos' });
  throw problem(left.length > 0 ? 'NO_PHOTOS_FOUND.onlyLinks' : 'NO_PHOTOS_FOUND.asked');
};

/** Limits for each assistant: reads of listing photos at a time, and reads in flight and queued. */
const pictures = { atOnce: 2, most: 16 };

/** Creates one queue for each assistant, so that slow reads of one assistant do not block another. */
const createPictureLines = () => {
  const lines = new Map<string, { places: Semaphore; count: number }>();
  return async <T>({ assistantId }: Assistant, signal: AbortSignal, work: () => Promise<T>): Promise<T> => {
    const line = lines.get(assistantId) ?? { places: createSemaphore(pictures.atOnce), count: 0 };
    if (line.count >= pictures.most) throw problem('SLOW_DOWN', { retryAfterS: 5 });
    line.count += 1;
    lines.set(assistantId, line);
    try {
      const leave = await line.places.take('photo', signal);
      return await work().finally(leave);
    } finally {
      line.count -= 1;
      if (line.count === 0) lines.delete(assistantId);
    }
  };
};

const pictureFor = ({ checkAccess, scope, pictures: read }: Parts) => {
  const inLine = createPictureLines();
  return async (
    by: Assistant,
    size: 'read' | 'small',
    { listingId, index }: { listingId: string; index: number },
    signal: AbortSignal,
  ): ReturnType<ReadPicture> => {
    const check = (): void => {
      checkAccess(by);
      scope.check(by, { params: { listingId } });
    };
    check();
    const found = await inLine(by, signal, () => read[size](listingId, index, signal));
    // Access may have been revoked while awaiting; check again.
    check();
    return found;
  };
};

/**
 * Copies the photos that an assistant names from its allowed folders. `check` is repeated during the copy; it throws once
 * access has ended.
 */
const takerOf = ({ limits, intake }: Parts) => {
  const taker = createAllowedPhotos(intake);
  return async (by: Assistant, { folder, photos }: PhotoSourceRequest, check: () => void): Promise<TakenPhotos> => {
    const allowed = (): string[] => {
      check();
      return limits(by.assistantId)?.folders ?? [];
    };
    check();
    if (folder !== undefined) return taker.folder(allowed, folder);
    if (photos !== undefined && photos.length > 0) return taker.photos(allowed, photos);
    throw problem('INVALID_REQUEST.nothingNamed', { field: 'folder' });
  };
};

/** A new item, or (`replayed`) the item that an earlier call with the same key started. */
type AddedItem = { itemId: string; left: LeftPhoto[]; replayed: boolean };

/**
 * Starts a keyed call once. A repeated call joins the start in flight or returns the stored result, also after a crash.
 * Throws `IDEMPOTENCY_KEY_REUSED` if the same key comes with another request.
 */
const onceByKey = (items: Pick<Items, 'begunBy'>) => {
  type Begun = Pick<BegunItem, 'itemId' | 'left'>;
  const being = new Map<string, { wish: string; made: Promise<Begun> }>();
  return async (call: ItemCall, begin: () => Promise<Begun>): Promise<AddedItem> => {
    const place = JSON.stringify([call.assistantId, call.key]);
    const before = being.get(place) ?? items.begunBy(call);
    if (before && before.wish !== null && before.wish !== call.wish) throw problem('IDEMPOTENCY_KEY_REUSED');
    if (before) return { ...('made' in before ? await before.made : before), replayed: true };
    const made = begin().finally(() => being.delete(place));
    being.set(place, { wish: call.wish, made });
    return { ...(await made), replayed: false };
  };
};

/** Creates the function that adds items from photos. */
const itemAdder = (
  { items }: Pick<Parts, 'items'>,
  mayDraft: (by: Assistant) => void,
  take: ReturnType<typeof takerOf>,
) => {
  const once = onceByKey(items);
  const begin = async (by: Assistant, wish: ItemRequest, call?: ItemCall): Promise<Omit<AddedItem, 'replayed'>> => {
    const taken = await take(by, wish, () => mayDraft(by));
    needPhotos(taken);
    const { name, photos, left } = taken;
    const set = {
      name,
      note: wish.note ?? taken.note ?? '',
      call: call && { ...call, left },
      photos: photos.map((photo) => ({ ...photo, root: null, owned: true })),
    };
    const [itemId = ''] = items.add([set], by, wish);
    return { itemId, left };
  };
  return async (by: Assistant, wish: ItemRequest, key?: string): Promise<AddedItem> => {
    mayDraft(by);
    if (key === undefined) return { ...(await begin(by, wish)), replayed: false };
    const call = { assistantId: by.assistantId, key, wish: digestOf(wish) };
    return once(call, () => begin(by, wish, call));
  };
};

/** Creates the functions that add photos to a listing that the assistant manages itself. */
const photosForListings = (
  { intake, listingPhotos, scope, uploadLine }: Parts,
  mayDraft: (by: Assistant) => void,
  take: ReturnType<typeof takerOf>,
) => {
  const check = (by: Assistant, listingId: string): void => {
    mayDraft(by);
    scope.check(by, { params: { listingId } });
  };
  return {
    /** Prepares photos and adds them to a listing that is not live. */
    addPhotos: async (
      by: Assistant,
      listingId: string,
      wish: PhotoSourceRequest,
      signal: AbortSignal,
    ): Promise<AddedPhotos> => {
      const rights = { check: () => check(by, listingId), signal };
      const { photos, left } = await take(by, wish, rights.check);
      const added = await listingPhotos(by, listingId, photos, rights);
      return { photos: added.photos, left: [...left, ...added.left] };
    },
    /**
     * Adds one photo from a request body. The body is read only after access is checked. Throws `PHOTO_TOO_LARGE`,
     * `TOO_MANY_UPLOADS`.
     */
    addReceived: async (
      by: Assistant,
      listingId: string,
      body: PhotoBody,
      signal: AbortSignal,
    ): Promise<AddedPhotos> => {
      check(by, listingId);
      checkLength(body);
      return uploadLine.run(listingId, signal, async () => {
        const { uploadId } = await intake.receive(Readable.from(capped(body)));
        const source = await intake.find(uploadId);
        return listingPhotos(by, listingId, [{ name: 'photo', source }], { check: () => check(by, listingId), signal });
      });
    },
  };
};

/** Creates the photo operations of assistants: whole items, and photos for a listing that the assistant manages itself. */
export const createAssistantWork = (parts: Parts) => {
  const { checkAccess, items, scope } = parts;

  const mayDraft = (by: Assistant): void => {
    checkAccess(by);
    scope.checkAct(by, 'createListing', false);
  };
  const own = (by: Assistant, itemId: string): ItemView => {
    checkAccess(by);
    const row = items.need(itemId);
    if (row.by.kind !== 'assistant' || row.by.assistantId !== by.assistantId) throw problem('NOT_FOUND.itemOfYours');
    return items.view(row);
  };
  const take = takerOf(parts);
  const add = itemAdder(parts, mayDraft, take);

  return {
    /** Throws if the assistant's access has ended, or it may not access this listing. */
    checkTold: (by: Assistant, listingId?: string): void => {
      checkAccess(by);
      if (listingId !== undefined) scope.check(by, { params: { listingId } });
    },
    /**
     * Starts an item from photos. Throws if none of them can be used. With a `key`, a repeated call returns the item of
     * the first call for a day or until `forgetCalls`, also after a crash.
     */
    addItem: async (by: Assistant, wish: ItemRequest, key?: string) => {
      const { itemId, left, replayed } = await add(by, wish, key);
      return { item: own(by, itemId), left, replayed };
    },
    /** Forgets these idempotency keys: the next calls with them start new items. */
    forgetCalls: ({ assistantId }: Assistant, keys: readonly string[]): void => items.forgetCalls(assistantId, keys),
    /** Returns items of this assistant once all are idle, one has stopped, or `waitMs` have passed. Throws `NOT_FOUND`. */
    itemsAtRest: (by: Assistant, ids: readonly string[], waitMs: number, signal?: AbortSignal): Promise<ItemView[]> =>
      onceTheyRest(parts, () => ids.map((id) => own(by, id)), waitMs, signal),
    /**
     * Returns its items in batches, newest first: those changed since the mark of an earlier answer, or all if `since` is
     * null.
     */
    items: ({ assistantId }: Assistant, since: string | null): { mark: string; some: Iterable<ItemView[]> } => {
      const { mark, itemIds } = items.ofAssistant(assistantId, since);
      return { mark, some: items.views(itemIds) };
    },
    /** Reads one photo of a listing in full or reduced size. Throws `NOT_YOUR_LISTING`, `PHOTOS_UNREADABLE`. */
    picture: pictureFor(parts),
    ...photosForListings(parts, mayDraft, take),
  };
};
