import * as z from 'zod';
import { routeOf, uploadSlot, type RouteName } from '../../contract/index.ts';
import { hideAddresses } from '../base/hideAddresses.ts';
import { problemText } from '../base/problem.ts';
import { isRecord } from '../base/unknownRecord.ts';
import { ServiceError } from './serviceError.ts';
import { holdsAddress, withoutAddresses, withoutAddressWords, withoutPersonFields } from './addresses.ts';

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

/** A sentence without addresses; one of ours where nothing else is left of it. */
export const plainSentence = (sentence: string): string =>
  withoutAddressWords(sentence) ?? problemText('REFUSED').sentence;

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
