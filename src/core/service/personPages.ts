import * as z from 'zod';
import { inputOf, routeOf, sentenceIn, uploadSlot, type RouteName, limits } from '../../contract/index.ts';
import { hideAddresses, holdsAddress, withoutAddresses, maskAddresses, withoutPersonFields } from './addresses.ts';
import { problemText } from '../base/problem.ts';
import { isRecord, canonical } from '../base/json.ts';
import { ServiceError } from './serviceError.ts';
import type { Clock, Changed } from '../base/ports.ts';
import { type ServiceClient } from './serviceClient.ts';

/** What the pages are that only the person may open, in words. */
const pages: Partial<Record<RouteName, string>> = {
  readMarketAuthUrl: 'the sign-in page of your marketplace account',
  connectChannel: 'a page that connects another sales channel',
  createCheckoutToken: 'a checkout page',
  createCheckout: 'a checkout page',
  createPortal: 'your billing pages',
};

/** What page a route answers for the person alone; null for any other route. */
export const pageOf = (route: RouteName): string | null =>
  routeOf(route).personPage === undefined ? null : (pages[route] ?? 'a page of the service');

/** The first address in a text, as it can be opened. */
const addressIn = (text: string): string | null => {
  const [found] = /https?:\/\/[^\s"'<>]+/i.exec(text) ?? [];
  const given = found ?? (/^\s*\/\/[^\s/]/.test(text) ? `https:${text.trim()}` : null);
  return given !== null && URL.canParse(given) ? given : null;
};

const textsIn = (value: unknown): string[] => {
  if (typeof value === 'string') return [value];
  return isRecord(value) ? Object.values(value).flatMap(textsIn) : [];
};

/** The page that an answer is about: the address in its own field, or else the first one anywhere. */
const addressOf = (answer: unknown, field: string): string | null => {
  const own = isRecord(answer) ? answer[field] : undefined;
  return [...textsIn(own), ...textsIn(answer)].map(addressIn).find((address) => address !== null) ?? null;
};

const visibleFields = (answer: unknown, visible: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(isRecord(answer) ? answer : {}).filter(
      ([name, value]) =>
        visible.includes(name) && (typeof value === 'number' || (typeof value === 'string' && !holdsAddress(value))),
    ),
  );

/**
 * An answer as an assistant may have it, and the page in it that is the person's to open. Of a page's answer only the
 * fields that its route names are left; of any other, all but what leads to such a page.
 */
export const withoutPage = (route: RouteName, answer: unknown): { answer: unknown; url: string | null } => {
  const { personPage, namesPersonPages } = routeOf(route);
  if (personPage !== undefined) {
    const seen = { ...visibleFields(answer, personPage.visible), openedFor: 'person' };
    return { answer: seen, url: addressOf(answer, personPage.address) };
  }
  return { answer: namesPersonPages ? withoutAddresses(answer) : withoutPersonFields(answer), url: null };
};

/** A sentence without addresses; one of ours where nothing to read is left of it. */
export const plainSentence = (sentence: string): string =>
  sentenceIn(maskAddresses(sentence)) ?? problemText('REFUSED').sentence;

/** What the service said with a refusal, as an assistant may read it. */
const refusedBody = (route: RouteName, body: unknown): unknown => {
  if (!isRecord(body)) return null;
  const { error, code, ...others } = body;
  const facts = routeOf(route).personPage === undefined ? withoutAddresses(others) : {};
  return {
    ...(isRecord(facts) ? facts : {}),
    ...(typeof error === 'string' ? { error: plainSentence(error) } : {}),
    ...(typeof code === 'string' && !holdsAddress(code) ? { code } : {}),
  };
};

/** A refusal of the service as an assistant may read it: pages of the person are in neither its sentence nor its body. */
export const visibleError = (route: RouteName, error: unknown): unknown => {
  if (!(error instanceof ServiceError)) return error;
  const { code, message, says, effect, status, headers, retryAfterS, silent, body, cause } = error;
  const sentence = plainSentence(message);
  return new ServiceError({
    code: holdsAddress(code) ? 'REFUSED' : code,
    sentence,
    says: sentence === message ? says : undefined,
    effect,
    status,
    headers,
    retryAfterS,
    silent,
    cause,
    ...(body === undefined ? {} : { body: refusedBody(route, body) }),
  });
};

/**
 * An answer that was stored with an approval, as its assistant may read it, again and again: without the person's page,
 * and without the addresses of upload slots, which are given out only with the answer itself.
 */
export const storedAnswer = (route: RouteName, { status, body }: { status: number; body: unknown }): unknown => {
  if (status >= 400) return refusedBody(route, body);
  if (route !== 'requestUploads') return withoutPage(route, body).answer;
  const slots = z.array(uploadSlot).safeParse(body);
  return slots.success ? hideAddresses(slots.data, []) : [];
};

type Input = { params?: unknown; body?: unknown };

/**
 * A page of the person that still works: what an assistant is answered, and where it is. `key` names what it is for;
 * `atMs` is when it was made, by the elapsed time.
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
  /** The page that such a request would end, or null. */
  find: (route: RouteName, input: Input) => OpenPage | null;
  /** Notes the page in an answer; it takes the place of the one before. Null where the answer has none. */
  note: (route: RouteName, input: Input, answered: { status: number; answer: unknown }) => OpenPage | null;
  /** What was connected by a page is connected no more: it is no use any longer. */
  forget: (route: RouteName) => void;
  /** What a request asks a page for: the same key for requests that one page answers. */
  keyOf: (route: RouteName, input: Input) => string;
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
  const fresh = (): OpenPage[] => (pages = pages.filter(({ atMs }) => clock.elapsedMs() - atMs < lifeMs));
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
      const made = { at: clock.now(), atMs: clock.elapsedMs() };
      const page = { key, route, answer: seen.answer, url: seen.url, status, ...made };
      pages.push(page);
      return page;
    },
    forget: (route) => void (pages = pages.filter((one) => one.route !== route)),
    keyOf,
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

type Parts = { clock: Clock; changed: Changed; client: ServiceClient };

/** What pages of the service's change: the plan, the connection to the marketplace, other channels. */
const readWhatPagesChange = async (client: ServiceClient, signal: AbortSignal): Promise<string> => {
  const [standing, market, connections] = await Promise.all([
    client.send('readStanding', inputOf('readStanding', {}), { signal }),
    client.send('readMarketStatus', inputOf('readMarketStatus', {}), { signal }),
    client.send('listConnections', inputOf('listConnections', {}), { signal }),
  ]);
  // The rest of the standing moves with every listing that is written.
  return canonical([standing.answer.plan, market.answer, connections.answer]);
};

export type PageWatch = {
  /** Whether a page still works on which the person may be changing something. */
  isOpen: () => boolean;
  /** The person was given a page now. */
  opened: () => void;
  stop: () => void;
};

/**
 * Pages of the service's that the person was sent to: sign-in, checkout, another channel. Nobody tells the companion
 * what happens there, so standing and connections are read every five seconds until they are different, for as long as
 * such a page works, and the windows are told.
 */
export const createPageWatch = ({ clock, changed, client }: Parts): PageWatch => {
  let openUntil = -Infinity;
  let watching: AbortController | null = null;
  const isOpen = (): boolean => clock.elapsedMs() < openUntil;

  const look = (signal: AbortSignal): Promise<string | null> => readWhatPagesChange(client, signal).catch(() => null);

  const watch = async ({ signal }: AbortController): Promise<void> => {
    let before = await look(signal);
    while (isOpen() && !signal.aborted) {
      await clock.sleep(limits.pollMs.least, signal);
      const now = await look(signal);
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
      const over = (): void => {
        if (watching === own) watching = null;
      };
      watch(own).then(over, over);
    },
    stop: () => {
      openUntil = -Infinity;
      watching?.abort();
      watching = null;
    },
  };
};
