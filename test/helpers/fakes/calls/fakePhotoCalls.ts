import type { ContactSheet, ItemView, LastChange, PhotoView } from '../../../../src/core/storage/tables/itemRecord.ts';
import { createMessage } from '../../../../src/i18n/message.ts';
import type { Answers, Fake } from '../fakeCompanion.ts';
import { refuse } from '../fakeRefusal.ts';

type PhotoCalls = Pick<
  Answers,
  | 'items.begin'
  | 'items.barcode'
  | 'items.merge'
  | 'items.split'
  | 'items.movePhotos'
  | 'items.order'
  | 'items.lastChange'
  | 'items.sheet'
  | 'items.undo'
  | 'photos.remove'
  | 'photos.restore'
  | 'photos.aside'
  | 'photos.edit'
  | 'photos.avatar'
  | 'photos.diskUse'
  | 'photos.cleanUp'
>;

/** Pauses that neither plainly end an item nor plainly do not. */
const [unsureFromMs, unsureToMs] = [15_000, 40_000];

/** The sheet in the order of the core: by time, and then by name. */
const sheetOf = (items: readonly ItemView[]): ContactSheet => {
  const order = items
    .filter(({ reviewReason, arrangeable, photos }) => reviewReason !== null && arrangeable && photos.length > 0)
    .toSorted((a, b) => {
      const [from, to] = [a.photos[0]?.takenAt ?? Infinity, b.photos[0]?.takenAt ?? Infinity];
      return from === to ? 0 : from - to;
    });
  let last: PhotoView | null = null;
  const gapTo = (photo: PhotoView): ContactSheet['rows'][number]['photos'][number]['gap'] => {
    const one = last;
    last = photo;
    if (one === null) return null;
    const pauseMs = one.takenAt === null || photo.takenAt === null ? null : Math.abs(photo.takenAt - one.takenAt);
    return { pauseMs, isUnsure: pauseMs !== null && pauseMs > unsureFromMs && pauseMs < unsureToMs };
  };
  return {
    rows: order.map(({ itemId, name, step, photos }) => ({
      itemId,
      name,
      isPreparing: step === 'photos',
      photos: photos.map((photo) => ({
        photoId: photo.photoId,
        name: photo.name,
        thumbUrl: photo.thumbUrl,
        edits: photo.edits,
        gap: gapTo(photo),
      })),
    })),
  };
};

/** A picture of one pixel. */
const onePixel = 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7';
const disk = { preparedFiles: 240, preparedBytes: 61_000_000, copies: 12, copiesBytes: 44_000_000 };

/** Arranging as the core does it, on the fake's items: every change can be taken back. */
export const photoCalls = (fake: Fake): PhotoCalls => {
  const before: (LastChange & { items: ItemView[] })[] = [];
  const change = (label: string, act: () => void): ItemView[] => {
    before.push({ label, at: Date.now(), items: structuredClone(fake.items) });
    act();
    fake.items = fake.items.filter(({ photos }) => photos.length > 0);
    fake.changed('items');
    return fake.items;
  };
  const item = (itemId: string): ItemView =>
    fake.items.find((one) => one.itemId === itemId) ?? refuse('NOT_FOUND', 'There is no such item.');
  const take = (photoIds: readonly string[]): PhotoView[] => {
    const taken = fake.items.flatMap(({ photos }) => photos.filter(({ photoId }) => photoIds.includes(photoId)));
    for (const one of fake.items) one.photos = one.photos.filter((photo) => !taken.includes(photo));
    return taken;
  };
  const each = (photoIds: readonly string[], act: (photo: PhotoView) => void): void =>
    fake.items.forEach(({ photos }) => photos.filter(({ photoId }) => photoIds.includes(photoId)).forEach(act));
  return {
    'items.begin': ({ itemIds }) => {
      const begun = fake.items.filter(
        ({ itemId, reviewReason }) => reviewReason !== null && (itemIds?.includes(itemId) ?? true),
      );
      for (const one of begun) Object.assign(one, { reviewReason: null, step: 'draft', words: 'Starting a draft' });
      fake.changed('items');
      return begun.length;
    },
    'items.barcode': ({ itemId, value, state }) => {
      const found = item(itemId);
      found.barcodes = found.barcodes.map((one) => (one.value === value ? { ...one, state } : one));
      fake.changed('items');
      return found;
    },
    'items.merge': ({ itemIds: [first = '', ...others] }) =>
      change('Merge', () => {
        const joined = others.flatMap((itemId) => take(item(itemId).photos.map(({ photoId }) => photoId)));
        item(first).photos.push(...joined);
      }),
    'items.split': ({ photoIds }) =>
      change('Split', () => {
        const like = fake.items.find(({ photos }) => photos.some(({ photoId }) => photoIds.includes(photoId)));
        if (!like) return refuse('NOT_FOUND', 'There is no such photo.');
        const photos = take(photoIds);
        fake.items = [
          { ...like, itemId: `${like.itemId}-split${before.length}`, name: photos[0]?.name ?? '', photos },
          ...fake.items,
        ];
      }),
    'items.movePhotos': ({ itemId, photoIds, before: next }) =>
      change('Move photos', () => {
        const { photos } = item(itemId);
        const moved = take(photoIds);
        const rest = photos.filter(({ photoId }) => !photoIds.includes(photoId));
        const at = rest.findIndex(({ photoId }) => photoId === next);
        item(itemId).photos = at === -1 ? [...rest, ...moved] : [...rest.slice(0, at), ...moved, ...rest.slice(at)];
      }),
    'items.order': ({ itemId, photoIds }) =>
      change('Order', () => {
        const one = item(itemId);
        const named = photoIds.flatMap((id) => one.photos.filter(({ photoId }) => photoId === id));
        one.photos = [...new Set([...named, ...one.photos])];
      }),
    'items.sheet': () => sheetOf(fake.items),
    'items.lastChange': () => before.at(-1) ?? null,
    'items.undo': () => {
      fake.items = before.pop()?.items ?? refuse('NOTHING_TO_UNDO', 'There is no change to take back.');
      fake.changed('items');
      return fake.items;
    },
    'photos.remove': ({ photoIds }) =>
      change('Remove photo', () => {
        for (const one of fake.items) {
          one.removedPhotos.push(...one.photos.filter(({ photoId }) => photoIds.includes(photoId)));
          one.photos = one.photos.filter(({ photoId }) => !photoIds.includes(photoId));
        }
      }),
    'photos.restore': ({ photoIds }) =>
      change('Put back', () => {
        for (const one of fake.items) {
          one.photos.push(...one.removedPhotos.filter(({ photoId }) => photoIds.includes(photoId)));
          one.removedPhotos = one.removedPhotos.filter(({ photoId }) => !photoIds.includes(photoId));
        }
      }),
    'photos.aside': ({ photoIds, aside }) =>
      change(aside ? 'Set aside' : 'Take in', () =>
        each(photoIds, (photo) =>
          Object.assign(photo, {
            state: aside ? 'aside' : 'ready',
            aside: aside ? 'person' : null,
            sentence: aside ? 'You set this one aside.' : null,
          }),
        ),
      ),
    'photos.edit': ({ photoId, edits }) =>
      change('Edit photo', () => each([photoId], (photo) => Object.assign(photo, { edits }))),
    'photos.avatar': (source) =>
      'path' in source && source.path.endsWith('.txt')
        ? refuse('AVATAR_UNREADABLE', 'This file is no picture.', { says: createMessage('problems.AVATAR_UNREADABLE') })
        : onePixel,
    'photos.diskUse': () => disk,
    'photos.cleanUp': () => ({ ...disk, preparedFiles: 40, preparedBytes: 9_000_000 }),
  };
};
