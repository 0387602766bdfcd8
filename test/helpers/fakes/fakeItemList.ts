import {
  chooseSection,
  sections,
  type ItemSummary,
  type ItemView,
  type Section,
} from '../../../src/core/storage/tables/itemRecord.ts';
import type { Answers, Fake } from './fakeCompanion.ts';

type ListCalls = Pick<
  Answers,
  `items.${'list' | 'counts' | 'ready' | 'chosen' | 'between' | 'beside' | 'ofListing' | 'settled'}`
>;

const sectionOf = ({ step, stop, reviewReason, checked }: ItemView): Section =>
  chooseSection({ step, stop, isDeferred: reviewReason !== null, isChecked: checked });
const goes = ({ state }: ItemView['photos'][number]): boolean => state === 'ready' || state === 'waiting';

const summaryOf = (item: ItemView, listing: Record<string, unknown> | undefined): ItemSummary => {
  const { itemId, name, title, step, stop, words, says, progress, reviewReason, arrangeable, checked, listingId } =
    item;
  const photos = item.photos.filter(goes);
  const thumbUrl = photos.find((photo) => photo.thumbUrl !== null)?.thumbUrl ?? null;
  const { price, marketplaceId, publishBlockers } = listing ?? {};
  const warned = photos.filter(({ warnings }) => warnings.length > 0).length;
  const blockers = Array.isArray(publishBlockers) ? publishBlockers.length : 0;
  return {
    ...{
      itemId,
      name,
      title,
      step,
      stop,
      words,
      says,
      progress,
      reviewReason,
      arrangeable,
      checked,
      listingId,
      thumbUrl,
    },
    section: sectionOf(item),
    photoCount: photos.length,
    warningCount: step === 'review' ? blockers : step === 'live' ? 0 : warned,
    price: typeof price === 'number' ? { cents: price, site: String(marketplaceId) } : null,
  };
};

type Listed = ItemView & { listingId: string };
const isReady = (item: ItemView): item is Listed =>
  item.step === 'review' && item.stop === null && item.listingId !== null;
const waits = ({ step, stop, checked }: ItemView): boolean => step === 'review' && stop === null && !checked;
const isRunning = ({ step, stop }: ItemView): boolean =>
  stop === null && ['photos', 'draft', 'upload', 'line', 'writing'].includes(step);
const isSettled = ({ step, stop }: ItemView): boolean => stop !== null || ['review', 'live', 'ended'].includes(step);

/** The list of items a part at a time, as the core answers it. */
export const itemListCalls = (fake: Fake): ListCalls => {
  const summary = (item: ItemView): ItemSummary => summaryOf(item, fake.listings[item.listingId ?? '']);
  const place = (item: ItemView): number => sections.indexOf(sectionOf(item));
  const found = ({ find, folded = false }: { find: string; folded?: boolean | null }): ItemView[] => {
    const words = find.toLowerCase().split(/\s+/).filter(Boolean);
    const inOrder = fake.items.toSorted((one, other) => place(one) - place(other));
    const isFolded = folded ?? inOrder.filter((item) => sectionOf(item) === 'live').length > 20;
    return inOrder.filter((item) => {
      if (words.length === 0) return !isFolded || sectionOf(item) !== 'live';
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
      const wanted = (folded: boolean | null): ItemView[] =>
        found({ ...filter, folded }).filter(({ arrangeable }) => only === 'all' || arrangeable);
      const items = wanted(filter.folded);
      const count = (section: Section): number => wanted(false).filter((item) => sectionOf(item) === section).length;
      return {
        total: items.length,
        sections: { toCheck: count('toCheck'), working: count('working'), ready: count('ready'), live: count('live') },
        rows: items.slice(offset, offset + limit).map(summary),
      };
    },
    'items.counts': () => {
      const isInGrouping = ({ reviewReason, stop }: ItemView): boolean =>
        reviewReason !== null && reviewReason !== 'replacingPhotos' && stop === null;
      const deferred = fake.items.filter(isInGrouping).length;
      const toCheck = fake.items.filter((item) => sectionOf(item) === 'toCheck').length;
      return { all: fake.items.length, toCheck, deferred, running: fake.items.filter(isRunning).length, done: 0.5 };
    },
    'items.ready': (filter) => {
      const ready = found(filter).filter(isReady);
      const ids = (some: ItemView[]): string[] => some.slice(0, 200).map(({ itemId }) => itemId);
      return { total: ready.length, itemIds: ids(ready), checked: ids(ready.filter(({ checked }) => checked)) };
    },
    'items.chosen': ({ itemIds, ...filter }) => {
      const shown = found(filter);
      const chosen = fake.items.filter(({ itemId }) => itemIds.includes(itemId));
      return {
        ready: chosen.filter(isReady).map(({ itemId, listingId }) => ({ itemId, listingId })),
        arrangeable: chosen.flatMap((item) => {
          const { itemId, reviewReason, arrangeable } = item;
          const deferred = reviewReason !== null;
          return arrangeable ? [{ itemId, deferred, hidden: filter.find !== '' && !shown.includes(item) }] : [];
        }),
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
      return { mark: 'mark', items: mark === null ? [] : moved.map(summary) };
    },
  };
};
