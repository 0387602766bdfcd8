import * as z from 'zod';
import { uploadSlot, type RouteName } from '../../contract/index.ts';
import { hideAddresses } from '../photos/hideAddresses.ts';

/** Routes whose answer is a page that only the person may open, and what the page is, in words. */
const pages: Partial<Record<RouteName, string>> = {
  readMarketAuthUrl: 'the sign-in page of your marketplace account',
  connectChannel: 'a page that connects another sales channel',
  createCheckoutToken: 'a checkout page',
  createCheckout: 'a checkout page',
  createPortal: 'your billing pages',
};

export const pageOf = (route: RouteName): string | null => pages[route] ?? null;

const isPage = (value: unknown): value is string => typeof value === 'string' && /^https?:\/\//i.test(value);

const partsOf = (value: unknown): [string, unknown][] =>
  value !== null && typeof value === 'object' ? Object.entries(value) : [];

const pagesIn = (value: unknown): string[] =>
  partsOf(value).flatMap(([, part]) => (isPage(part) ? [part] : pagesIn(part)));

/** The value without any address, however deep one lies. */
const withoutPages = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.filter((part) => !isPage(part)).map(withoutPages);
  if (value === null || typeof value !== 'object') return value;
  const kept = partsOf(value).filter(([, part]) => !isPage(part));
  return Object.fromEntries(kept.map(([name, part]) => [name, withoutPages(part)]));
};

/** An answer without the page's address, which says instead for whom it was opened; and the address. */
export const withoutPage = (route: RouteName, answer: unknown): { answer: unknown; url: string | null } => {
  if (pageOf(route) === null || answer === null || typeof answer !== 'object') return { answer, url: null };
  return { answer: { ...Object(withoutPages(answer)), openedFor: 'person' }, url: pagesIn(answer)[0] ?? null };
};

/**
 * An answer that was stored with an approval, as its assistant may read it, again and again: without the person's page,
 * and without the addresses of upload slots, which are given out only with the answer itself.
 */
export const storedAnswer = (route: RouteName, answer: unknown): unknown => {
  if (route !== 'requestUploads') return withoutPage(route, answer).answer;
  const slots = z.array(uploadSlot).safeParse(answer);
  return slots.success ? hideAddresses(slots.data, []) : [];
};
