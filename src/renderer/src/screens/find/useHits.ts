import { useQuery } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { call, type ItemSummary, type ListingRow } from '../../api/call.ts';
import { itemFilter } from '../../api/itemQueries.ts';
import { escapedText } from '../../components/text/UntrustedText.tsx';
import { formatCents } from '../../components/text/format.ts';
import { t, translate } from '../../i18n.ts';
import { screenDefinitions, screenIds, type ScreenId } from '../../../../ipc/screens.ts';
import { useActs } from './useActs.ts';

/** How many frames to wait for the target element: a screen that was not shown yet is loaded first. */
const mostFrames = 120;

const saysThat =
  (name: string) =>
  (element: Element): boolean =>
    (element.getAttribute('aria-label') ?? element.textContent).trim() === name;

/** Returns the control with this accessible name, or else the heading. */
const namedIn = (room: Element, name: string): HTMLElement | null => {
  const controls = [...room.querySelectorAll<HTMLElement>('input[aria-label], select[aria-label], label[for]')];
  const headings = [...room.querySelectorAll<HTMLElement>('h1, h2')];
  const found = controls.find(saysThat(name)) ?? headings.find(saysThat(name)) ?? null;
  return found instanceof HTMLLabelElement ? document.getElementById(found.htmlFor) : found;
};

const focusOn = (element: HTMLElement): void => {
  if (/^(H1|H2|MAIN)$/.test(element.tagName)) element.tabIndex = -1;
  element.scrollIntoView({ block: 'center' });
  element.focus({ preventScroll: true });
};

/** Focuses the element with this accessible name once its screen is rendered, or else the screen itself. */
const focusOnNamed = (name: string | null): void => {
  const look = (frames: number): void => {
    const main = document.querySelector<HTMLElement>('main');
    const found = main && (name === null ? main : namedIn(main, name));
    if (found) focusOn(found);
    else if (frames > 0) requestAnimationFrame(() => look(frames - 1));
    else if (main) focusOn(main);
  };
  requestAnimationFrame(() => look(mostFrames));
};

/** The parts of a screen that can be opened: each key is the name of a field or heading there. */
const places = {
  settings: [
    'settings.language',
    'settings.theme',
    'settings.photoSize',
    'settings.decision',
    'settings.fromNotification',
    'settings.site',
    'templates.usual',
    'photo.settings.format',
    'photo.settings.guesses',
    'photo.settings.watch',
    'settings.notify.title',
    'settings.pause.title',
    'settings.backups.title',
    'settings.care.title',
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
    'account.money.title',
    'account.profile.title',
    'account.mails.title',
    'account.keys.title',
  ],
  approvals: ['approvals.record.title'],
  assistants: ['assistants.activity.title', 'assistants.clients.title'],
} as const satisfies Partial<Record<ScreenId, readonly string[]>>;

/** Returns the i18n key of the name of a screen. */
const screenName = (id: ScreenId): 'selling.title' | `app.${Exclude<ScreenId, 'selling'>}` =>
  id === 'selling' ? 'selling.title' : `app.${id}`;

type PartName = (typeof places)[keyof typeof places][number];

const allPlaces: Partial<Record<ScreenId, readonly PartName[]>> = places;

export const partsOf = (id: ScreenId): readonly PartName[] => allPlaces[id] ?? [];

/** A search result: its name, a short description, and its action on Enter. */
export type Hit = { id: string; name: string; about: string; photoUrl?: string | null; run: () => void };

const mostOfKind = 6;

const plain = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

/** Returns 0 if the name starts with the query, 1 if its words do, 2 for any other match, null without one. */
const rankOf = (name: string, about: string, wanted: string): number | null => {
  const [words, all] = [plain(wanted).split(/\s+/).filter(Boolean), plain(`${name} ${about}`)];
  if (!words.every((word) => all.includes(word))) return null;
  if (plain(name).startsWith(words.join(' '))) return 0;
  const starts = plain(name).split(/[^\p{L}\p{N}]+/u);
  return words.every((word) => starts.some((start) => start.startsWith(word))) ? 1 : 2;
};

const usePlaceHits = (): Hit[] => {
  const [, go] = useLocation();
  const nameOf = (id: ScreenId): string => t(screenName(id));
  const to = (id: ScreenId, name: string | null) => (): void => {
    go(screenDefinitions[id].path);
    focusOnNamed(name);
  };
  const parts = screenIds.flatMap((id) =>
    partsOf(id).map((key) => ({
      id: key,
      name: t(key),
      about: nameOf(id),
      run: to(id, t(key)),
    })),
  );
  return [...screenIds.map((id) => ({ id, name: nameOf(id), about: t('find.screen'), run: to(id, null) })), ...parts];
};

const useThings = (wanted: string) => {
  const isAsked = wanted.trim() !== '';
  const items = useQuery({
    queryKey: ['items', 'find', itemFilter(wanted)],
    queryFn: () => call('items.list', { ...itemFilter(wanted), limit: mostOfKind }),
    enabled: isAsked,
  });
  const listings = useQuery({
    queryKey: ['listings', 'find', wanted.trim()],
    queryFn: () => call('listings.search', { q: wanted.trim().slice(0, 200), limit: mostOfKind }),
    enabled: isAsked,
  });
  const isComing = isAsked && (items.isPending || listings.isPending);
  return { items: items.data?.rows ?? [], listings: listings.data?.rows ?? [], isComing };
};

const listed = (parts: readonly (string | null)[]): string =>
  parts.filter((part) => part !== null && part !== '').join(', ');

const useThingHits = (wanted: string): { hits: Hit[]; isComing: boolean } => {
  const [, go] = useLocation();
  const { items, listings, isComing } = useThings(wanted);
  const open = (path: string) => (): void => {
    go(path);
    focusOnNamed(null);
  };
  const ofItem = (item: ItemSummary): Hit => ({
    id: item.itemId,
    name: escapedText(item.title ?? item.name),
    about: listed([t('items.item'), translate(item.says, item.words)]),
    photoUrl: item.thumbUrl,
    run: open(`/items/${encodeURIComponent(item.itemId)}`),
  });
  const ofListing = (row: ListingRow): Hit => ({
    id: row.listingId,
    name: escapedText(row.title ?? t('listings.untitled')),
    about: listed([
      t('listings.listing'),
      row.isMissing ? t('listings.unknownStatus') : t(`listings.status.${row.status}`),
      row.priceCents === null ? null : formatCents(row.priceCents, row.currency),
    ]),
    photoUrl: row.photoUrl,
    run: open(`/listings/${encodeURIComponent(row.listingId)}`),
  });
  // Show a listing that belongs to a local item only once.
  const own = new Set(items.map(({ listingId }) => listingId));
  const rest = listings.filter(({ listingId }) => !own.has(listingId));
  return { hits: [...items.map(ofItem), ...rest.map(ofListing)], isComing };
};

/** Returns everything that matches the query, best match first. An empty query returns all commands and screens. */
export const useHits = (wanted: string): { hits: Hit[]; isComing: boolean } => {
  const acts = useActs().map(({ id, name, about = '', run }) => ({
    id: id ?? `${name}\n${about}`,
    name: escapedText(name),
    about,
    run,
  }));
  const known = [...acts, ...usePlaceHits()];
  const things = useThingHits(wanted);
  if (wanted.trim() === '') return { hits: known.slice(0, acts.length + screenIds.length), isComing: false };
  const ranked = [...known, ...things.hits].flatMap((hit) => {
    // The core searches more than the name, so its results are kept even without a match here.
    const rank = rankOf(hit.name, hit.about, wanted) ?? (things.hits.includes(hit) ? 3 : null);
    return rank === null ? [] : [{ hit, rank }];
  });
  return { hits: ranked.toSorted((a, b) => a.rank - b.rank).map(({ hit }) => hit), isComing: things.isComing };
};
