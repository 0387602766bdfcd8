import type { PageLinkChecker } from '../core/listings/pageLinks.ts';
import { isRecord } from '../core/base/json.ts';

/**
 * The page of a live listing. If the companion does not know the page's host yet, `liveUrl` is null and
 * `liveUrlNotChecked` is the host.
 */
export type LiveLink = { liveUrl: string | null; liveUrlNotChecked: string | null };
export type ClassifyLink = (url: unknown) => LiveLink;

const noLink: LiveLink = { liveUrl: null, liveUrlNotChecked: null };
const maxLength = 2_000;

const parseWebPage = (value: unknown): URL | null => {
  const page = typeof value === 'string' && value.length < maxLength && URL.canParse(value) ? new URL(value) : null;
  return page !== null && /^https?:$/.test(page.protocol) ? page : null;
};

/**
 * Creates a function that checks a URL of the service with the same rule as the window. If the window would ask the
 * person first, the assistant gets only the host.
 */
export const createLinkClassifier =
  ({ inspectLink }: Pick<PageLinkChecker, 'inspectLink'>): ClassifyLink =>
  (value) => {
    const page = parseWebPage(value);
    if (page === null) return noLink;
    const link = inspectLink(page.href);
    return link?.isKnown ? { ...noLink, liveUrl: link.url } : { ...noLink, liveUrlNotChecked: page.host };
  };

const listRecordsWithLinks = (answer: unknown): Record<string, unknown>[] => {
  if (Array.isArray(answer)) return answer.filter(isRecord);
  if (!isRecord(answer)) return [];
  const { listings, channels } = answer;
  return [answer, ...[listings, channels].flatMap((list) => (Array.isArray(list) ? list.filter(isRecord) : []))];
};

/** Returns the unknown hosts that an answer links to, each once. */
export const listUnknownHosts = (answer: unknown, classifyLink: ClassifyLink): string[] => {
  const pages = listRecordsWithLinks(answer).flatMap(({ marketListingUrl, url }) => [marketListingUrl, url]);
  // Check one page per origin, because an answer can contain many pages. Credentials before an @ count as part of the
  // origin.
  const places = new Map(
    pages.flatMap((page) => {
      const found = parseWebPage(page);
      return found ? [[`${found.username}:${found.password}@${found.origin}`, found.href]] : [];
    }),
  );
  return [...new Set([...places.values()].flatMap((page) => classifyLink(page).liveUrlNotChecked ?? []))];
};
