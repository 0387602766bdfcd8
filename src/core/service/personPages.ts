import * as z from 'zod';
import {
  requireRouteInput,
  findRouteByName,
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
  dropPersonFields,
} from './addresses.ts';
import { createProblemText } from '../base/problem.ts';
import { isRecord, toCanonicalJson } from '../base/json.ts';
import { ServiceError } from './serviceError.ts';
import type { Clock, Changed } from '../base/ports.ts';
import { type ServiceClient } from './serviceClient.ts';

/** Descriptions of the pages that only the person may open. */
const personPageNames: Partial<Record<RouteName, string>> = {
  readMarketAuthUrl: 'the sign-in page of your marketplace account',
  connectChannel: 'a page that connects another sales channel',
  createCheckoutToken: 'a checkout page',
  createCheckout: 'a checkout page',
  createPortal: 'your billing pages',
};

/** Returns the description of the person's page that a route returns; null for other routes. */
export const describePersonPage = (route: RouteName): string | null =>
  findRouteByName(route).personPage === undefined ? null : (personPageNames[route] ?? 'a page of the service');

/** Returns the first address in a text as an openable URL. */
const findFirstAddress = (text: string): string | null => {
  const [found] = /https?:\/\/[^\s"'<>]+/i.exec(text) ?? [];
  const given = found ?? (/^\s*\/\/[^\s/]/.test(text) ? `https:${text.trim()}` : null);
  return given !== null && URL.canParse(given) ? given : null;
};

const collectNestedTexts = (value: unknown): string[] => {
  if (typeof value === 'string') return [value];
  return isRecord(value) ? Object.values(value).flatMap(collectNestedTexts) : [];
};

/** Returns the page address in an answer: from its own field, otherwise the first one anywhere. */
const findPageAddress = (answer: unknown, field: string): string | null => {
  const own = isRecord(answer) ? answer[field] : undefined;
  return (
    [...collectNestedTexts(own), ...collectNestedTexts(answer)]
      .map(findFirstAddress)
      .find((address) => address !== null) ?? null
  );
};

const keepVisibleFields = (answer: unknown, visible: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(isRecord(answer) ? answer : {}).filter(
      ([name, value]) =>
        visible.includes(name) &&
        (typeof value === 'number' || (typeof value === 'string' && !containsAnyAddress(value))),
    ),
  );

/**
 * Splits an answer into the part for an assistant and the page for the person. Of a page's answer only the fields
 * that its route allows remain; of other answers, everything except addresses of such pages.
 */
export const splitPersonPage = (route: RouteName, answer: unknown): { answer: unknown; url: string | null } => {
  const { personPage, namesPersonPages } = findRouteByName(route);
  if (personPage !== undefined) {
    const seen = { ...keepVisibleFields(answer, personPage.visible), openedFor: 'person' };
    return { answer: seen, url: findPageAddress(answer, personPage.address) };
  }
  return { answer: namesPersonPages ? dropAddressFields(answer) : dropPersonFields(answer), url: null };
};

/** Removes addresses from a sentence; falls back to a generic sentence if nothing readable remains. */
export const toPlainSentence = (sentence: string): string =>
  parseServiceSentence(maskAddressWords(sentence)) ?? createProblemText('REFUSED').sentence;

/** Returns the body of a refusal as an assistant may read it. */
const toVisibleRefusal = (route: RouteName, body: unknown): unknown => {
  if (!isRecord(body)) return null;
  const { error, code, ...others } = body;
  const facts = findRouteByName(route).personPage === undefined ? dropAddressFields(others) : {};
  return {
    ...(isRecord(facts) ? facts : {}),
    ...(typeof error === 'string' ? { error: toPlainSentence(error) } : {}),
    ...(typeof code === 'string' && !containsAnyAddress(code) ? { code } : {}),
  };
};

/** Returns a service refusal as an assistant may read it: without the person's pages in its sentence and body. */
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
 * Returns an approval's stored answer as its assistant may read it, repeatedly: without the person's page and
 * without upload addresses, which are disclosed only in the original answer.
 */
export const toVisibleStoredAnswer = (
  route: RouteName,
  { status, body }: { status: number; body: unknown },
): unknown => {
  if (status >= 400) return toVisibleRefusal(route, body);
  if (route !== 'requestUploads') return splitPersonPage(route, body).answer;
  const slots = z.array(uploadSlot).safeParse(body);
  return slots.success ? hideUploadAddresses(slots.data, []) : [];
};

type PageRequestInput = { params?: unknown; body?: unknown };

/**
 * A person's page whose link still works: the assistant's answer and the address. `key` identifies the request;
 * `atMs` is the creation time by the elapsed time.
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

export type OpenPages = {
  /** Returns the page that this request would supersede, or null. */
  find: (route: RouteName, input: PageRequestInput) => OpenPage | null;
  /** Stores the page in an answer in place of the previous one. Null if the answer has none. */
  note: (route: RouteName, input: PageRequestInput, answered: { status: number; answer: unknown }) => OpenPage | null;
  /** Discards the pages of a route once the connection they made is removed. */
  forget: (route: RouteName) => void;
  /** Returns the key of a page request; requests that the same page answers share it. */
  keyOf: (route: RouteName, input: PageRequestInput) => string;
  /** Runs requests for the same page one at a time, so that the next one finds the result. */
  runInTurn: <T>(route: RouteName, input: PageRequestInput, work: () => Promise<T>) => Promise<T>;
};

/** The lifetime of a page's link. */
const pageLifetimeMs = limits.connectLinkMs;

/**
 * Creates the list of the person's recent pages. A new link invalidates the previous one, which the person may have
 * open, so an assistant that repeats its request gets the existing page. Only the person gets a new one.
 */
export const createOpenPages = (clock: Clock, account: () => string | null): OpenPages => {
  let pages: OpenPage[] = [];
  const turns = new Map<string, Promise<unknown>>();
  const listLivePages = (): OpenPage[] =>
    (pages = pages.filter(({ atMs }) => clock.elapsedMs() - atMs < pageLifetimeMs));
  // Ignore bodies of routes without an approval; otherwise a varied body would request the same page again.
  const keyOf = (route: RouteName, { params, body }: PageRequestInput): string =>
    JSON.stringify([account(), route, params ?? null, findRouteByName(route).askFirst ? (body ?? null) : null]);

  return {
    find: (route, input) =>
      describePersonPage(route) === null
        ? null
        : (listLivePages().find(({ key }) => key === keyOf(route, input)) ?? null),
    note: (route, input, { status, answer }) => {
      if (describePersonPage(route) === null) return null;
      const seen = splitPersonPage(route, answer);
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

/** Reads what the service's pages can change: the plan, the marketplace connection, other channels. */
const readPageControlledState = async (client: ServiceClient, signal: AbortSignal): Promise<string> => {
  const [standing, market, connections] = await Promise.all([
    client.send('readStanding', requireRouteInput('readStanding', {}), { signal }),
    client.send('readMarketStatus', requireRouteInput('readMarketStatus', {}), { signal }),
    client.send('listConnections', requireRouteInput('listConnections', {}), { signal }),
  ]);
  // The rest of the standing changes with every generation.
  return toCanonicalJson([standing.answer.plan, market.answer, connections.answer]);
};

export type PageWatch = {
  /** Returns whether the person may still be using a page. */
  isOpen: () => boolean;
  /** Notes that the person was given a page now. */
  opened: () => void;
  stop: () => void;
};

/**
 * Creates the watch of service pages that the person was sent to, such as sign-in or checkout. The service sends no
 * event when the person finishes there, so the affected state is polled every five seconds until it changes or the
 * link expires; then windows are notified.
 */
export const createPageWatch = ({ clock, changed, client }: Parts): PageWatch => {
  let openUntil = -Infinity;
  let watching: AbortController | null = null;
  const isOpen = (): boolean => clock.elapsedMs() < openUntil;

  const readPageState = (signal: AbortSignal): Promise<string | null> =>
    readPageControlledState(client, signal).catch(() => null);

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
