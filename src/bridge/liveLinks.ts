import type { PageLinkChecker } from '../core/listings/pageLinks.ts';
import { isRecord, toRecordOrEmpty } from '../core/base/json.ts';

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

const addLinks = (links: string[], record: unknown): void => {
  if (!isRecord(record)) return;
  const { marketListingUrl, url } = record;
  for (const link of [marketListingUrl, url]) if (typeof link === 'string') links.push(link);
};

const listLinks = (answer: unknown): string[] => {
  const links: string[] = [];
  const { listings, channels } = toRecordOrEmpty(answer);
  addLinks(links, answer);
  for (const list of [answer, listings, channels])
    if (Array.isArray(list)) for (const record of list) addLinks(links, record);
  return links;
};

const noHosts: string[] = [];

/** Returns the unknown hosts that an answer links to, each once. */
export const listUnknownHosts = (answer: unknown, classifyLink: ClassifyLink): string[] => {
  const links = listLinks(answer);
  if (links.length === 0) return noHosts;
  // Check one page per origin, because an answer can contain many pages. Credentials before an @ count as part of the
  // origin.
  const places = new Map(
    links.flatMap((link) => {
      const found = parseWebPage(link);
      return found ? [[`${found.username}:${found.password}@${found.origin}`, found.href]] : [];
    }),
  );
  return [...new Set([...places.values()].flatMap((page) => classifyLink(page).liveUrlNotChecked ?? []))];
};
