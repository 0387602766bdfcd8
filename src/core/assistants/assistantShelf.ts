import type * as z from 'zod';
import type { Listing, ListingStatus } from '../../contract/index.ts';
import { createProblem } from '../base/problem.ts';
import { shelfFields, type ShelfFields } from '../base/shelfFields.ts';
import type { Asker, AssistantAsker } from '../base/request.ts';
import type { ListingsService } from '../listings/listings.ts';
import type { OneShelfTarget, Shelf } from '../shelf/shelf.ts';
import { anyListing } from '../storage/tables/listings/listingSearch.ts';
import type { ListingsTable } from '../storage/tables/listings/listingsTable.ts';
import type { AssistantRegistry } from './assistants.ts';
import type { Scope } from './scope.ts';

/** What an assistant with the right `shelf` sees and changes. What the person paid is not part of it. */
const visibleFields = { sku: true, place: true, tags: true, note: true } as const;
export const assistantShelfChanges = shelfFields.pick(visibleFields).partial();
export type AssistantShelfChanges = z.infer<typeof assistantShelfChanges>;
export type AssistantShelf = Pick<ShelfFields, keyof typeof visibleFields>;

export type ShelfSearch = {
  sku?: string | undefined;
  place?: string | undefined;
  tag?: string | undefined;
  words?: string | undefined;
  status?: ListingStatus | undefined;
  offset: number;
  limit: number;
};

/** `next` is the offset of the next page; null after the last one. */
export type FoundOnShelf = { listings: Listing[]; next: number | null };

type ListingTarget = Extract<OneShelfTarget, { listingId: string }>;

type Context = {
  shelf: Pick<Shelf, 'read' | 'change'>;
  search: Pick<ListingsService, 'search'>;
  listings: Pick<ListingsTable, 'read'>;
  account: () => string;
  scope: Pick<Scope, 'checkListing' | 'mayTouch' | 'listOnly' | 'mayDraft'>;
  limits: AssistantRegistry['limits'];
  /** Throws if the assistant is paused or revoked, or belongs to another account. */
  checkAccess: (by: Asker) => void;
};

export type AssistantShelfService = ReturnType<typeof createAssistantShelf>;

/** Creates the access of assistants to the shelf. Only an assistant with the right `shelf` learns anything of it. */
export const createAssistantShelf = (context: Context) => {
  const { shelf, search, listings, account, scope, limits, checkAccess } = context;
  const maySeeShelf = ({ assistantId }: AssistantAsker): boolean => limits(assistantId)?.shelf === true;
  /** Throws `NOT_ALLOWED` without the right `shelf`. */
  const requireShelfRight = (by: AssistantAsker): void => {
    checkAccess(by);
    if (!maySeeShelf(by)) throw createProblem('NOT_ALLOWED.shelf');
  };
  const toVisibleFields = ({ sku, place, tags, note }: ShelfFields): AssistantShelf => ({ sku, place, tags, note });
  return {
    requireShelfRight,
    /** Throws `NOT_ALLOWED` without the right, and `NOT_YOUR_LISTING`. */
    readAllowed: (by: AssistantAsker, target: ListingTarget): AssistantShelf => {
      requireShelfRight(by);
      scope.checkListing(by, { params: target });
      return toVisibleFields(shelf.read(target).fields);
    },
    /** Returns null if the assistant lacks the right `shelf` or may not see the listing. */
    read: (by: AssistantAsker, target: ListingTarget): AssistantShelf | null =>
      maySeeShelf(by) && scope.mayTouch(by, target.listingId) ? toVisibleFields(shelf.read(target).fields) : null,
    /** Throws `NOT_ALLOWED` without the rights `shelf` and to edit drafts, and `NOT_YOUR_LISTING`. */
    change: (by: AssistantAsker, listingId: string, changes: AssistantShelfChanges): AssistantShelf => {
      requireShelfRight(by);
      scope.checkListing(by, { params: { listingId } });
      if (!scope.mayDraft(by, listingId)) throw createProblem('NOT_ALLOWED.read');
      shelf.change({ listingIds: [listingId] }, changes);
      return toVisibleFields(shelf.read({ listingId }).fields);
    },
    /** Finds listings in the copy on this computer. Throws `NOT_ALLOWED` without the right `shelf`. */
    find: (by: AssistantAsker, { status, offset, limit, words = '', ...values }: ShelfSearch): FoundOnShelf => {
      requireShelfRight(by);
      const shelfValues = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
      const filter = {
        ...anyListing,
        ...{ q: words, statuses: status ? [status] : [], only: scope.listOnly(by), shelf: shelfValues },
      };
      const { rows, total } = search.search(filter, { sort: 'newest', offset, limit });
      return {
        listings: rows.flatMap(({ listingId }) => listings.read(account(), listingId) ?? []),
        next: offset + rows.length < total && rows.length > 0 ? offset + rows.length : null,
      };
    },
  };
};
