import { limits, routeOf, type RouteName } from '../../contract/index.ts';
import type { Clock } from '../base/ports.ts';
import { pageOf, withoutPage } from './personPages.ts';

type Input = { params?: unknown; body?: unknown };

/** A page of the person that still works: what an assistant is answered, and where it is. `key` names what it is for. */
export type OpenPage = { key: string; route: RouteName; answer: unknown; url: string; status: number; at: number };

export type OpenPages = {
  /** The page that such a request would end, or null. */
  find: (route: RouteName, input: Input) => OpenPage | null;
  /** Notes the page in an answer; it takes the place of the one before. Null where the answer has none. */
  note: (route: RouteName, input: Input, answered: { status: number; answer: unknown }) => OpenPage | null;
  /** What was connected by a page is connected no more: it is no use any longer. */
  forget: (route: RouteName) => void;
  /** One request for a page at a time: the next one finds what it made. */
  inTurn: <T>(route: RouteName, input: Input, work: () => Promise<T>) => Promise<T>;
};

/** A page's link works this long. */
const lifeMs = limits.connectLinkMs;

/**
 * The pages of the person that were made lately, by whomever. A new link ends the one before, which the person may have
 * open: so an assistant that asks again is answered by the page that is there. Only the person gets a new one.
 */
export const createOpenPages = (clock: Clock, account: () => string | null): OpenPages => {
  let pages: OpenPage[] = [];
  const turns = new Map<string, Promise<unknown>>();
  const fresh = (): OpenPage[] => (pages = pages.filter(({ at }) => clock.now() - at < lifeMs));
  // What is sent with a question that nobody has to answer is a way to ask for the same page in other words.
  const keyOf = (route: RouteName, { params, body }: Input): string =>
    JSON.stringify([account(), route, params ?? null, routeOf(route).askFirst ? (body ?? null) : null]);

  return {
    find: (route, input) =>
      pageOf(route) === null ? null : (fresh().find(({ key }) => key === keyOf(route, input)) ?? null),
    note: (route, input, { status, answer }) => {
      if (pageOf(route) === null) return null;
      const seen = withoutPage(route, answer);
      const key = keyOf(route, input);
      pages = fresh().filter((one) => one.key !== key);
      if (seen.url === null) return null;
      const page = { key, route, answer: seen.answer, url: seen.url, status, at: clock.now() };
      pages.push(page);
      return page;
    },
    forget: (route) => void (pages = pages.filter((one) => one.route !== route)),
    inTurn: async (route, input, work) => {
      const key = keyOf(route, input);
      const turn = (turns.get(key) ?? Promise.resolve()).then(work, work);
      turns.set(key, turn);
      try {
        return await turn;
      } finally {
        if (turns.get(key) === turn) turns.delete(key);
      }
    },
  };
};
