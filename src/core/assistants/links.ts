import type { RouteName } from '../../contract/index.ts';

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

/** An answer without the page's address, which says instead for whom it was opened; and the address. */
export const withoutPage = (route: RouteName, answer: unknown): { answer: unknown; url: string | null } => {
  if (pageOf(route) === null || answer === null || typeof answer !== 'object') return { answer, url: null };
  const entries: [string, unknown][] = Object.entries(answer);
  const url = entries.map(([, value]) => value).find(isPage) ?? null;
  return { answer: { ...Object.fromEntries(entries.filter(([, value]) => !isPage(value))), openedFor: 'person' }, url };
};
