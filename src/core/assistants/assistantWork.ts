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

/** A photo of a listing by its place, from 0; null where there is none. */
type ReadPicture = (
  listingId: string,
  index: number,
  signal: AbortSignal,
) => Promise<{ bytes: Uint8Array; contentType: string } | null>;

type Parts = {
  intake: Intake;
  items: Items;
  limits: Assistants['limits'];
  /** Throws when an assistant is paused, or not let in any more: for the account that is connected now. */
  checkAccess: (by: Asker) => void;
  scope: Scope;
  listingPhotos: AddListingPhotos;
  pictures: Record<'read' | 'small', ReadPicture>;
  uploadLine: UploadLine;
  clock: Clock;
  onChanged: (listener: (topic: Topic) => void) => () => void;
};

/** An item that goes on by itself is waited for; one that rests waits for somebody. */
const rests = ({ step, stop }: ItemView): boolean =>
  stop !== null || step === 'review' || step === 'live' || step === 'ended' || step === 'arranging';

/** Items as `read` shows them: once all of them rest, one that went on stopped for a reason, or `waitMs` are over. */
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

/** Throws why none of the photos may be used, if none may. */
const needPhotos = ({ photos, left }: TakenPhotos): void => {
  if (photos.length > 0) return;
  const first = left.find(({ code }) => code !== 'LINK_OUTSIDE');
  if (first) throw new Problem(first.code, first.error, { field: 'photos' });
  throw problem(left.length > 0 ? 'NO_PHOTOS_FOUND.onlyLinks' : 'NO_PHOTOS_FOUND.asked');
};

/** So many photos of listings are read for an assistant at a time, and so many may be asked for in all. */
const pictures = { atOnce: 2, most: 16 };

/** Each assistant has a line of its own: one that asks for photos which do not come keeps no other from its own. */
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
    // That took its time: who may not see it any more does not get it.
    check();
    return found;
  };
};

/**
 * Takes the photos that an assistant names, out of the folders that the person allows it, as long as `check` lets it: who
 * is sent away, or loses a folder, while photos are copied begins nothing.
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

/** What an item was made of, or the one that the same call has made before. */
type AddedItem = { itemId: string; left: LeftPhoto[]; replayed: boolean };

/**
 * Begins what an assistant calls for under a key once: the same call joins while it is being made, and takes it up
 * afterwards, also after a crash. Throws `IDEMPOTENCY_KEY_REUSED` for another wish under that key.
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

/** Makes items of photos. */
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

/** Photos that an assistant puts on a listing which it works on itself. */
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
    /** Prepares photos and puts them on a listing that is not live. */
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
    /** The same for the bytes of one photo, which are read only where they may be put. Throws `PHOTO_TOO_LARGE`, `TOO_MANY_UPLOADS`. */
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

/** What an assistant does with photos on this machine: whole items, and photos for a listing it works on itself. */
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
    /** Throws where an assistant may not be told anything any more, or not of this listing. */
    checkTold: (by: Assistant, listingId?: string): void => {
      checkAccess(by);
      if (listingId !== undefined) scope.check(by, { params: { listingId } });
    },
    /**
     * Starts the way from photos to a listing for review. Throws when none of the photos may be used. With a `key` it
     * takes up what that assistant's call began before, even before a crash, for a day or until `forgetCalls`.
     */
    addItem: async (by: Assistant, wish: ItemRequest, key?: string) => {
      const { itemId, left, replayed } = await add(by, wish, key);
      return { item: own(by, itemId), left, replayed };
    },
    /** What these calls have begun is not taken up any more: the same ones begin anew. */
    forgetCalls: ({ assistantId }: Assistant, keys: readonly string[]): void => items.forgetCalls(assistantId, keys),
    /** Items of this assistant, once all of them rest, one has come to a stop, or `waitMs` are over. Throws `NOT_FOUND`. */
    itemsAtRest: (by: Assistant, ids: readonly string[], waitMs: number, signal?: AbortSignal): Promise<ItemView[]> =>
      onceTheyRest(parts, () => ids.map((id) => own(by, id)), waitMs, signal),
    /** Its own items, newest first, a few at a time: those that changed since the mark of an earlier answer, or all for null. */
    items: ({ assistantId }: Assistant, since: string | null): { mark: string; some: Iterable<ItemView[]> } => {
      const { mark, itemIds } = items.ofAssistant(assistantId, since);
      return { mark, some: items.views(itemIds) };
    },
    /** One photo of a listing that it may touch: as it is, or small. Throws `NOT_YOUR_LISTING`, `PHOTOS_UNREADABLE`. */
    picture: pictureFor(parts),
    ...photosForListings(parts, mayDraft, take),
  };
};
