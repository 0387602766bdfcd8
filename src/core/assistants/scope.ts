import { routeOf, type RouteName } from '../../contract/index.ts';
import { readsWithBody } from '../service/throttle/floors.ts';
import { listingIdOf } from '../base/listingIdOf.ts';
import { problem } from '../base/problem.ts';
import type { ListingMakersTable } from '../storage/tables/listingMakersTable.ts';
import type { Assistants } from './assistants.ts';
import type { Asker } from '../base/asker.ts';

/** What an assistant may do, and with which listings: all, or only those that it made itself. */
export type Scope = {
  seesAll: (by: Asker) => boolean;
  mayTouch: (by: Asker, listingId: string) => boolean;
  /** Throws when the person does not let this assistant do so much. */
  checkAct: (by: Asker, route: RouteName, asks: boolean) => void;
  /** Whether it may work on that listing as on a draft. */
  mayDraft: (by: Asker, listingId: string) => boolean;
  /** Throws when the request is about a listing that this assistant did not make and may not touch. */
  check: (by: Asker, input: unknown) => void;
  /** Remembers who made a draft. */
  made: (by: Asker, route: RouteName, listingId: string) => void;
};

/** How much a request needs: to look, to work on drafts, or to act on the account, with or without the person's yes. */
const needs = (route: RouteName, asks: boolean): 'read' | 'draft' | 'ask' => {
  const { method, group } = routeOf(route);
  if (asks) return 'ask';
  if (method === 'GET' || readsWithBody.includes(route)) return 'read';
  return group === 'Listings' ? 'draft' : 'ask';
};
const rank = { read: 0, draft: 1, ask: 2 } as const;

export const createScope = (makers: ListingMakersTable, account: () => string, limits: Assistants['limits']): Scope => {
  const seesAll = (by: Asker): boolean => by.kind === 'person' || limits(by.assistantId)?.touches !== 'own';
  const mayTouch = (by: Asker, listingId: string): boolean =>
    by.kind === 'person' || seesAll(by) || makers.isMaker(account(), listingId, by.assistantId);

  const checkAct: Scope['checkAct'] = (by, route, asks) => {
    if (by.kind === 'person') return;
    const scope = limits(by.assistantId)?.scope ?? 'read';
    if (scope !== 'ask' && rank[needs(route, asks)] > rank[scope]) throw problem(`NOT_ALLOWED.${scope}`);
  };
  return {
    seesAll,
    mayTouch,
    checkAct,
    mayDraft: (by, listingId) => {
      const scope = by.kind === 'person' ? 'ask' : (limits(by.assistantId)?.scope ?? 'read');
      return rank[scope] >= rank.draft && mayTouch(by, listingId);
    },
    check: (by, input) => {
      const listingId = listingIdOf(input);
      if (listingId === null || mayTouch(by, listingId)) return;
      throw problem('NOT_YOUR_LISTING');
    },
    made: (by, route, listingId) => {
      if (by.kind === 'assistant' && route === 'createListing') makers.note(account(), listingId, by.assistantId);
    },
  };
};
