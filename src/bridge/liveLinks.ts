import type { PageLinks } from '../core/listings/pageLinks.ts';
import { isRecord } from '../core/base/json.ts';

/**
 * The page of a live listing. If no earlier listing had a page on its host, `liveUrl` is null and `liveUrlNotChecked`
 * is the host.
 */
export type LiveLink = { liveUrl: string | null; liveUrlNotChecked: string | null };
/** Decides whether an address from the service may be passed to an assistant. */
export type JudgeLink = (url: unknown) => LiveLink;

const noLink: LiveLink = { liveUrl: null, liveUrlNotChecked: null };
const maxLength = 2_000;

const parseWebPage = (value: unknown): URL | null => {
  const page = typeof value === 'string' && value.length < maxLength && URL.canParse(value) ? new URL(value) : null;
  return page !== null && /^https?:$/.test(page.protocol) ? page : null;
};

/**
 * Creates a judge that uses the same rule as the window: a link that needs the person's confirmation there is not
 * passed on as safe.
 */
export const createLinkJudge =
  ({ inspectLink }: Pick<PageLinks, 'inspectLink'>): JudgeLink =>
  (value) => {
    const page = parseWebPage(value);
    if (page === null) return noLink;
    const link = inspectLink(page.href);
    return link?.isKnown ? { ...noLink, liveUrl: link.url } : { ...noLink, liveUrlNotChecked: page.host };
  };

/** Returns the records of an answer that may contain the page of a listing. */
const listAnswerRecords = (answer: unknown): Record<string, unknown>[] => {
  if (Array.isArray(answer)) return answer.filter(isRecord);
  if (!isRecord(answer)) return [];
  const { listings, channels } = answer;
  return [answer, ...[listings, channels].flatMap((list) => (Array.isArray(list) ? list.filter(isRecord) : []))];
};

/** Returns the unknown hosts in an answer without duplicates; the assistant receives them with the answer. */
export const findUnknownHosts = (answer: unknown, judge: JudgeLink): string[] => {
  const pages = listAnswerRecords(answer).flatMap(({ marketListingUrl, url }) => [marketListingUrl, url]);
  // Judge one page per origin. Credentials before an @ count as part of the origin.
  const places = new Map(
    pages.flatMap((page) => {
      const found = parseWebPage(page);
      return found ? [[`${found.username}:${found.password}@${found.origin}`, found.href]] : [];
    }),
  );
  return [...new Set([...places.values()].flatMap((page) => judge(page).liveUrlNotChecked ?? []))];
};
