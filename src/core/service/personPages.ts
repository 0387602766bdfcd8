import * as z from 'zod';
import {
  parseTrustedInput,
  getRouteByName,
  parseServiceSentence,
  uploadSlot,
  type RouteName,
  limits,
} from '../../contract/index.ts';
import {
  hideUploadAddresses,
  containsAnyAddress,
  dropAddressFields,
  maskAddressWords,
  dropPersonPageFields,
} from './addresses.ts';
import { createProblemText } from '../base/problem.ts';
import { isRecord, toCanonicalJson } from '../base/json.ts';
import { ServiceError } from './serviceError.ts';
import type { Clock, Changed } from '../base/ports.ts';
import { type ServiceClient } from './serviceClient.ts';

const personPageNames: Partial<Record<RouteName, string>> = {
  readMarketAuthUrl: 'the sign-in page of your marketplace account',
  connectChannel: 'a page that connects another sales channel',
  createCheckoutToken: 'a checkout page',
  createCheckout: 'a checkout page',
  createPortal: 'your billing pages',
};

/** Describes the page for the person that a route returns; null if the route returns no such page. */
export const describePersonPage = (route: RouteName): string | null =>
  getRouteByName(route).personPage === undefined ? null : (personPageNames[route] ?? 'a page of the service');

const findFirstAddress = (text: string): string | null => {
  const [found] = /https?:\/\/[^\s"'<>]+/i.exec(text) ?? [];
  const given = found ?? (/^\s*\/\/[^\s/]/.test(text) ? `https:${text.trim()}` : null);
  return given !== null && URL.canParse(given) ? given : null;
};

const collectNestedTexts = (value: unknown): string[] => {
  if (typeof value === 'string') return [value];
  return isRecord(value) ? Object.values(value).flatMap(collectNestedTexts) : [];
};

const findPageAddress = (answer: unknown, field: string): string | null => {
  const own = isRecord(answer) ? answer[field] : undefined;
  return (
    [...collectNestedTexts(own), ...collectNestedTexts(answer)]
      .map(findFirstAddress)
      .find((address) => address !== null) ?? null
  );
};

const pickVisibleFields = (answer: unknown, visible: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(isRecord(answer) ? answer : {}).filter(
      ([name, value]) =>
        visible.includes(name) &&
        (typeof value === 'number' || (typeof value === 'string' && !containsAnyAddress(value))),
    ),
  );

/** Splits an answer into the part for an assistant and the URL of the page for the person, or null. */
export const separatePersonPage = (route: RouteName, answer: unknown): { answer: unknown; url: string | null } => {
  const { personPage, namesPersonPages } = getRouteByName(route);
  if (personPage !== undefined) {
    const seen = { ...pickVisibleFields(answer, personPage.visible), openedFor: 'person' };
    return { answer: seen, url: findPageAddress(answer, personPage.address) };
  }
  return { answer: namesPersonPages ? dropAddressFields(answer) : dropPersonPageFields(answer), url: null };
};

/** Masks addresses in a sentence. If nothing readable remains, returns a general sentence. */
export const toPlainSentence = (sentence: string): string =>
  parseServiceSentence(maskAddressWords(sentence)) ?? createProblemText('REFUSED').sentence;

const toVisibleRefusal = (route: RouteName, body: unknown): unknown => {
  if (!isRecord(body)) return null;
  const { error, code, ...others } = body;
  const facts = getRouteByName(route).personPage === undefined ? dropAddressFields(others) : {};
  return {
    ...(isRecord(facts) ? facts : {}),
    ...(typeof error === 'string' ? { error: toPlainSentence(error) } : {}),
    ...(typeof code === 'string' && !containsAnyAddress(code) ? { code } : {}),
  };
};

/** Removes page addresses from a refusal before an assistant gets it, because only the person may open these pages. */
export const toVisibleError = (route: RouteName, error: unknown): unknown => {
  if (!(error instanceof ServiceError)) return error;
  const { code, message, says, effect, status, headers, retryAfterS, silent, body, cause } = error;
  const sentence = toPlainSentence(message);
  return new ServiceError({
    code: containsAnyAddress(code) ? 'REFUSED' : code,
    sentence,
    says: sentence === message ? says : undefined,
    effect,
    status,
    headers,
    retryAfterS,
    silent,
    cause,
    ...(body === undefined ? {} : { body: toVisibleRefusal(route, body) }),
  });
};

/**
 * Returns the part of an approval's stored answer that its assistant may see. The assistant gets upload addresses only
 * with the first answer, so they are removed here.
 */
export const removeAnswerPartsHiddenFromAssistant = (
  route: RouteName,
  { status, body }: { status: number; body: unknown },
): unknown => {
  if (status >= 400) return toVisibleRefusal(route, body);
  if (route !== 'requestUploads') return separatePersonPage(route, body).answer;
  const slots = z.array(uploadSlot).safeParse(body);
  return slots.success ? hideUploadAddresses(slots.data, []) : [];
};

type PageRequestInput = { params?: unknown; body?: unknown };

/**
 * A page for the person, with a link that still works. `atMs` is when the page was created, in ms on the monotonic
 * clock.
 */
export type OpenPage = {
  key: string;
  route: RouteName;
  answer: unknown;
  url: string;
  status: number;
  at: number;
  atMs: number;
};

export type OpenPageStore = {
  /** Returns the open page that this request would replace, or null. */
  find: (route: RouteName, input: PageRequestInput) => OpenPage | null;
  /**
   * Stores the page from an answer and removes the previous page with the same key. Returns null if the answer has no
   * page.
   */
  note: (route: RouteName, input: PageRequestInput, answered: { status: number; answer: unknown }) => OpenPage | null;
  /** Removes the pages of a route. */
  forget: (route: RouteName) => void;
  /** Requests that return the same page have equal keys. */
  keyOf: (route: RouteName, input: PageRequestInput) => string;
  /** Runs requests for one page one after another, so that the next request finds the page of the previous one. */
  runInTurn: <T>(route: RouteName, input: PageRequestInput, work: () => Promise<T>) => Promise<T>;
};

const pageLifetimeMs = limits.connectLinkMs;

/**
 * Creates the list of open pages. A new link would end the page that the person might be using, so an assistant that
 * repeats a request gets the open page.
 */
export const createOpenPageStore = (clock: Clock, account: () => string | null): OpenPageStore => {
  let pages: OpenPage[] = [];
  const turns = new Map<string, Promise<unknown>>();
  const listLivePages = (): OpenPage[] =>
    (pages = pages.filter(({ atMs }) => clock.elapsedMs() - atMs < pageLifetimeMs));
  // If a route needs no approval, its key omits the body. Otherwise an assistant could vary the body to get a new link.
  const keyOf = (route: RouteName, { params, body }: PageRequestInput): string =>
    JSON.stringify([account(), route, params ?? null, getRouteByName(route).askFirst ? (body ?? null) : null]);

  return {
    find: (route, input) =>
      describePersonPage(route) === null
        ? null
        : (listLivePages().find(({ key }) => key === keyOf(route, input)) ?? null),
    note: (route, input, { status, answer }) => {
      if (describePersonPage(route) === null) return null;
      const seen = separatePersonPage(route, answer);
      const key = keyOf(route, input);
      pages = listLivePages().filter((one) => one.key !== key);
      if (seen.url === null) return null;
      const made = { at: clock.now(), atMs: clock.elapsedMs() };
      const page = { key, route, answer: seen.answer, url: seen.url, status, ...made };
      pages.push(page);
      return page;
    },
    forget: (route) => void (pages = pages.filter((one) => one.route !== route)),
    keyOf,
    runInTurn: async (route, input, work) => {
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

type Parts = { clock: Clock; changed: Changed; client: ServiceClient };

const readStateChangedOnPages = async (client: ServiceClient, signal: AbortSignal): Promise<string> => {
  const [standing, market, connections] = await Promise.all([
    client.send('readStanding', parseTrustedInput('readStanding', {}), { signal }),
    client.send('readMarketStatus', parseTrustedInput('readMarketStatus', {}), { signal }),
    client.send('listConnections', parseTrustedInput('listConnections', {}), { signal }),
  ]);
  // The other fields of the standing are left out, because they change with every generation.
  return toCanonicalJson([standing.answer.plan, market.answer, connections.answer]);
};

export type PageWatch = {
  /** Returns whether a page is open on which the person might be making changes. */
  isOpen: () => boolean;
  /** Records that a page is opened for the person. */
  opened: () => void;
  stop: () => void;
};

/**
 * Creates the watch of pages such as sign-in or checkout. The service sends no event when the person finishes, so the
 * watch polls until the link expires and announces each change.
 */
export const createPageWatch = ({ clock, changed, client }: Parts): PageWatch => {
  let openUntil = -Infinity;
  let watching: AbortController | null = null;
  const isOpen = (): boolean => clock.elapsedMs() < openUntil;

  const readPageState = (signal: AbortSignal): Promise<string | null> =>
    readStateChangedOnPages(client, signal).catch(() => null);

  const watchForChanges = async ({ signal }: AbortController): Promise<void> => {
    let before = await readPageState(signal);
    while (isOpen() && !signal.aborted) {
      await clock.sleep(limits.pollMs.least, signal);
      const now = await readPageState(signal);
      if (before !== null && now !== null && now !== before) {
        openUntil = -Infinity;
        for (const topic of ['setup', 'account'] as const) changed(topic);
      }
      before = now ?? before;
    }
  };

  return {
    isOpen,
    opened: () => {
      openUntil = clock.elapsedMs() + limits.connectLinkMs;
      if (watching) return;
      const own = new AbortController();
      watching = own;
      const clearWatching = (): void => {
        if (watching === own) watching = null;
      };
      watchForChanges(own).then(clearWatching, clearWatching);
    },
    stop: () => {
      openUntil = -Infinity;
      watching?.abort();
      watching = null;
    },
  };
};
