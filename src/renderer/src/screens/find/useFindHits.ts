import { useCoreQuery } from '../../api/useCall.ts';
import { useMemo } from 'react';
import { useLocation } from 'wouter';
import type { ItemSummary, ListingRow } from '../../api/call.ts';
import { createItemFilter } from '../../api/itemQueries.ts';
import { escapeHiddenText } from '../../components/text/UntrustedText.tsx';
import { formatCents } from '../../components/text/format.ts';
import { showElement } from '../../components/showElement.ts';
import { t, translateMessage } from '../../i18n.ts';
import { screenDefinitions, screenIds, type ScreenId } from '../../../../ipc/screens.ts';
import { useFindCommands } from './useFindCommands.ts';

/** How many frames to wait for an element whose screen might still be loading. */
const maxFrames = 120;

const hasAccessibleName =
  (name: string) =>
  (element: Element): boolean =>
    (element.getAttribute('aria-label') ?? element.textContent).trim() === name;

const findByAccessibleName = (room: Element, name: string): HTMLElement | null => {
  const controls = [...room.querySelectorAll<HTMLElement>('input[aria-label], select[aria-label], label[for]')];
  const headings = [...room.querySelectorAll<HTMLElement>('h1, h2')];
  const found = controls.find(hasAccessibleName(name)) ?? headings.find(hasAccessibleName(name)) ?? null;
  return found instanceof HTMLLabelElement ? document.getElementById(found.htmlFor) : found;
};

/** Waits until the screen is rendered. Focuses the screen if no element has this name. */
const focusByAccessibleName = (name: string | null): void => {
  const tryToFocus = (frames: number): void => {
    const main = document.querySelector<HTMLElement>('main');
    const found = main && (name === null ? main : findByAccessibleName(main, name));
    if (found) showElement(found, 'center');
    else if (frames > 0) requestAnimationFrame(() => tryToFocus(frames - 1));
    else if (main) showElement(main, 'center');
  };
  requestAnimationFrame(() => tryToFocus(maxFrames));
};

/** Each key is the name of a field or a heading on the screen. */
const screenPartKeys = {
  settings: [
    'proof.section.title',
    'settings.preferences',
    'settings.language',
    'settings.theme',
    'settings.photoSize',
    'settings.decision',
    'settings.fromNotification',
    'settings.site',
    'templates.usual',
    'parts.photos.title',
    'photo.settings.format',
    'photo.settings.guesses',
    'photo.settings.watch',
    'shelf.title',
    'settings.notify.title',
    'settings.pause.title',
    'settings.practice.title',
    'settings.computer.title',
    'settings.backups.title',
    'settings.care.title',
    'settings.forget.title',
  ],
  selling: [
    'selling.market.title',
    'selling.policies.title',
    'selling.defaults.title',
    'selling.templates.title',
    'selling.channels.title',
  ],
  account: [
    'account.connection',
    'account.plan.title',
    'account.plans.title',
    'account.money.title',
    'account.profile.title',
    'account.mails.title',
    'account.keys.title',
    'account.disconnect',
  ],
  approvals: ['approvals.record.title'],
  assistants: ['assistants.activity.title', 'assistants.clients.title'],
} as const satisfies Partial<Record<ScreenId, readonly string[]>>;

const getScreenNameKey = (id: ScreenId): 'selling.title' | `app.${Exclude<ScreenId, 'selling'>}` =>
  id === 'selling' ? 'selling.title' : `app.${id}`;

type ScreenPartKey = (typeof screenPartKeys)[keyof typeof screenPartKeys][number];

const allScreenPartKeys: Partial<Record<ScreenId, readonly ScreenPartKey[]>> = screenPartKeys;

export const listScreenParts = (id: ScreenId): readonly ScreenPartKey[] => allScreenPartKeys[id] ?? [];

export type FindHit = {
  id: string;
  /** The heading above the hit. */
  group: string;
  name: string;
  about: string;
  key?: string | undefined;
  publishes?: boolean;
  photoUrl?: string | null;
  run: () => void;
};

const maxHitsPerKind = 6;

const normaliseSearchText = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

/**
 * Returns 0 if the name starts with the query, 1 if words of the name start with the words of the query, 2 for any
 * other match, null for no match.
 */
const rankFindHit = (name: string, about: string, wanted: string): number | null => {
  const [words, all] = [
    normaliseSearchText(wanted).split(/\s+/).filter(Boolean),
    normaliseSearchText(`${name} ${about}`),
  ];
  if (!words.every((word) => all.includes(word))) return null;
  if (normaliseSearchText(name).startsWith(words.join(' '))) return 0;
  const starts = normaliseSearchText(name).split(/[^\p{L}\p{N}]+/u);
  return words.every((word) => starts.some((start) => start.startsWith(word))) ? 1 : 2;
};

const listScreenHits = (go: (path: string) => void): FindHit[] => {
  const getScreenName = (id: ScreenId): string => t(getScreenNameKey(id));
  const createScreenOpener = (id: ScreenId, name: string | null) => (): void => {
    go(screenDefinitions[id].path);
    focusByAccessibleName(name);
  };
  const parts = screenIds.flatMap((id) =>
    listScreenParts(id).map((key) => ({
      id: key,
      group: t('find.group.settings'),
      name: t(key),
      about: getScreenName(id),
      run: createScreenOpener(id, t(key)),
    })),
  );
  return [
    ...screenIds.map((id) => ({
      id,
      group: t('find.group.screens'),
      name: getScreenName(id),
      about: t('find.screen'),
      run: createScreenOpener(id, null),
    })),
    ...parts,
  ];
};

const useItemsAndListings = (wanted: string) => {
  const isAsked = wanted.trim() !== '';
  const items = useCoreQuery(
    ['items', 'find', createItemFilter(wanted)],
    'items.list',
    { ...createItemFilter(wanted), limit: maxHitsPerKind },
    { enabled: isAsked },
  );
  const listings = useCoreQuery(
    ['listings', 'find', wanted.trim()],
    'listings.search',
    { q: wanted.trim().slice(0, 200), limit: maxHitsPerKind },
    { enabled: isAsked },
  );
  const isComing = isAsked && (items.isPending || listings.isPending);
  return { items: items.data?.rows ?? [], listings: listings.data?.rows ?? [], isComing };
};

const joinNonEmptyParts = (parts: readonly (string | null)[]): string =>
  parts.filter((part) => part !== null && part !== '').join(', ');

const useItemAndListingHits = (wanted: string): { hits: FindHit[]; isComing: boolean } => {
  const [, go] = useLocation();
  const { items, listings, isComing } = useItemsAndListings(wanted);
  const createPathOpener = (path: string) => (): void => {
    go(path);
    focusByAccessibleName(null);
  };
  const createItemHit = (item: ItemSummary): FindHit => ({
    id: item.itemId,
    group: t('find.group.things'),
    name: escapeHiddenText(item.title ?? item.name),
    about: joinNonEmptyParts([t('items.item'), translateMessage(item.says, item.words)]),
    photoUrl: item.thumbUrl,
    run: createPathOpener(`/items/${encodeURIComponent(item.itemId)}`),
  });
  const createListingHit = (row: ListingRow): FindHit => ({
    id: row.listingId,
    group: t('find.group.things'),
    name: escapeHiddenText(row.title ?? t('listings.untitled')),
    about: joinNonEmptyParts([
      t('listings.listing'),
      row.isMissing ? t('listings.unknownStatus') : t(`listings.status.${row.status}`),
      row.priceCents === null ? null : formatCents(row.priceCents, row.currency),
    ]),
    photoUrl: row.photoUrl,
    run: createPathOpener(`/listings/${encodeURIComponent(row.listingId)}`),
  });
  // A listing that belongs to a local item is shown only once.
  const own = new Set(items.map(({ listingId }) => listingId));
  const rest = listings.filter(({ listingId }) => !own.has(listingId));
  return { hits: [...items.map(createItemHit), ...rest.map(createListingHit)], isComing };
};

/** A shorter query is no clear wish to publish, so Enter must not publish then. */
const minPublishChars = 4;

/** Hits of one group stay together, and the group of the best hit comes first. */
const sortIntoGroups = (hits: readonly FindHit[], wanted: string): FindHit[] => {
  const mayPublish = wanted.trim().length >= minPublishChars;
  const first = mayPublish ? undefined : hits.find(({ publishes }) => publishes !== true);
  const ordered = first ? [first, ...hits.filter((hit) => hit !== first)] : hits;
  return [...Map.groupBy(ordered, ({ group }) => group).values()].flat();
};

/** Returns the best match first. An empty query returns all commands and screens. */
export const useFindHits = (wanted: string): { hits: FindHit[]; isComing: boolean } => {
  const acts = useFindCommands().map(({ id, name, about = '', ...command }): FindHit => ({
    ...command,
    id: id ?? `${name}\n${about}`,
    // The actions of the open item are below its title.
    group: about === '' ? t('find.group.acts') : about,
    name: escapeHiddenText(name),
    about,
  }));
  const [, go] = useLocation();
  // The dialog renders twice for each key. The texts of these hits take a third of that time.
  const screenHits = useMemo(() => listScreenHits(go), [go]);
  const known = [...acts, ...screenHits];
  const things = useItemAndListingHits(wanted);
  if (wanted.trim() === '')
    return { hits: sortIntoGroups(known.slice(0, acts.length + screenIds.length), wanted), isComing: false };
  const ranked = [...known, ...things.hits].flatMap((hit) => {
    // The core searches more than the name, so its results are kept even if the name does not match.
    const rank = rankFindHit(hit.name, hit.about, wanted) ?? (things.hits.includes(hit) ? 3 : null);
    return rank === null ? [] : [{ hit, rank }];
  });
  const best = ranked.toSorted((a, b) => a.rank - b.rank).map(({ hit }) => hit);
  return { hits: sortIntoGroups(best, wanted), isComing: things.isComing };
};
