import type { ItemSummary, ItemView } from '../../../src/core/storage/tables/itemRecord.ts';
import type { Answers, Fake } from './fakeCompanion.ts';

type ListCalls = Pick<
  Answers,
  `items.${'list' | 'counts' | 'ready' | 'chosen' | 'between' | 'beside' | 'ofListing' | 'settled'}`
>;

const summaryOf = (item: ItemView): ItemSummary => {
  const { itemId, name, title, step, stop, words, says, progress, guessed, arrangeable, listingId, photos } = item;
  const thumbUrl = photos.find((photo) => photo.thumbUrl !== null)?.thumbUrl ?? null;
  return { itemId, name, title, step, stop, words, says, progress, guessed, arrangeable, listingId, thumbUrl };
};

type Listed = ItemView & { listingId: string };
const isReady = (item: ItemView): item is Listed =>
  item.step === 'review' && item.stop === null && item.listingId !== null;
const waits = ({ step, stop }: ItemView): boolean => step === 'review' && stop === null;
const isRunning = ({ step, stop }: ItemView): boolean =>
  stop === null && ['photos', 'draft', 'upload', 'line', 'writing'].includes(step);
const isSettled = ({ step, stop }: ItemView): boolean => stop !== null || ['review', 'live', 'ended'].includes(step);

/** The list of items a part at a time, as the core answers it. */
export const itemListCalls = (fake: Fake): ListCalls => {
  const found = ({ find }: { find: string }): ItemView[] => {
    const words = find.toLowerCase().split(/\s+/).filter(Boolean);
    return fake.items.filter((item) => {
      const text = `${item.title ?? ''} ${item.name} ${item.words}`.toLowerCase();
      return words.every((word) => text.includes(word));
    });
  };
  const placeOf = (items: readonly ItemView[], item: ItemView | undefined) =>
    item ? { itemId: item.itemId, at: items.indexOf(item) } : null;
  const stateOf = (item: ItemView): string => item.stop?.code ?? item.step;
  let states = new Map<string, string>();
  return {
    'items.list': ({ only, offset, limit, ...filter }) => {
      const items = found(filter).filter(({ arrangeable }) => only === 'all' || arrangeable);
      return { total: items.length, rows: items.slice(offset, offset + limit).map(summaryOf) };
    },
    'items.counts': () => {
      const guessed = fake.items.filter((item) => item.guessed && item.stop === null).length;
      return { all: fake.items.length, guessed, running: fake.items.filter(isRunning).length, done: 0.5 };
    },
    'items.ready': (filter) => {
      const ready = found(filter).filter(isReady);
      return { total: ready.length, itemIds: ready.slice(0, 200).map(({ itemId }) => itemId) };
    },
    'items.chosen': ({ itemIds }) => {
      const chosen = fake.items.filter(({ itemId }) => itemIds.includes(itemId));
      return {
        ready: chosen.filter(isReady).map(({ itemId, listingId }) => ({ itemId, listingId })),
        arrangeable: chosen.flatMap(({ itemId, guessed, arrangeable }) => (arrangeable ? [{ itemId, guessed }] : [])),
      };
    },
    'items.between': ({ from, to, ...filter }) => {
      const ids = found(filter).flatMap((item) => (isReady(item) || item.arrangeable ? [item.itemId] : []));
      const [a, b] = [ids.indexOf(from), ids.indexOf(to)];
      return a === -1 || b === -1 ? [to] : ids.slice(Math.min(a, b), Math.max(a, b) + 1);
    },
    'items.beside': ({ itemId, way, ...filter }) => {
      const items = found(filter);
      const at = items.findIndex((item) => item.itemId === itemId);
      if (way === 'down') return placeOf(items, items[at + 1]);
      if (way === 'up') return placeOf(items, items[at === -1 ? items.length - 1 : at - 1]);
      return placeOf(items, items.slice(at + 1).find(waits) ?? items.slice(0, Math.max(0, at)).find(waits));
    },
    'items.ofListing': ({ listingId }) => {
      const item = fake.items.find((one) => one.listingId === listingId);
      return item ? { itemId: item.itemId } : null;
    },
    'items.settled': ({ mark }) => {
      const before = states;
      states = new Map(fake.items.map((item) => [item.itemId, stateOf(item)]));
      const moved = fake.items.filter((item) => isSettled(item) && before.get(item.itemId) !== stateOf(item));
      return { mark: 'mark', items: mark === null ? [] : moved.map(summaryOf) };
    },
  };
};
