import type { PageLinks } from '../core/listings/pageLinks.ts';
import { isRecord } from '../core/base/json.ts';

/** The page of a listing as assistants may repeat it, or the host that keeps it back: one where no listing had a page before. */
export type LiveLink = { liveUrl: string | null; liveUrlNotChecked: string | null };
/** Judges an address that the service names. */
export type JudgeLink = (url: unknown) => LiveLink;

const noLink: LiveLink = { liveUrl: null, liveUrlNotChecked: null };
const maxLength = 2_000;

const pageIn = (value: unknown): URL | null => {
  const page = typeof value === 'string' && value.length < maxLength && URL.canParse(value) ? new URL(value) : null;
  return page !== null && /^https?:$/.test(page.protocol) ? page : null;
};

/** Judges links as the person's own window does: what would open only after a question is not passed on as safe. */
export const createLinkJudge =
  ({ inspectLink }: Pick<PageLinks, 'inspectLink'>): JudgeLink =>
  (value) => {
    const page = pageIn(value);
    if (page === null) return noLink;
    const link = inspectLink(page.href);
    return link?.isKnown ? { ...noLink, liveUrl: link.url } : { ...noLink, liveUrlNotChecked: page.host };
  };

/** The records of an answer that may name the page of a listing. */
const recordsIn = (answer: unknown): Record<string, unknown>[] => {
  if (Array.isArray(answer)) return answer.filter(isRecord);
  if (!isRecord(answer)) return [];
  const { listings, channels } = answer;
  return [answer, ...[listings, channels].flatMap((list) => (Array.isArray(list) ? list.filter(isRecord) : []))];
};

/** The hosts in an answer that are not known, each once: an assistant is told of them beside the answer. */
export const unknownHostsIn = (answer: unknown, judge: JudgeLink): string[] => {
  const pages = recordsIn(answer).flatMap(({ marketListingUrl, url }) => [marketListingUrl, url]);
  // Of many pages of one place one tells it; what stands before an @ makes an address another one.
  const places = new Map(
    pages.flatMap((page) => {
      const found = pageIn(page);
      return found ? [[`${found.username}:${found.password}@${found.origin}`, found.href]] : [];
    }),
  );
  return [...new Set([...places.values()].flatMap((page) => judge(page).liveUrlNotChecked ?? []))];
};
