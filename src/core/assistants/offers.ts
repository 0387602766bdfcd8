import { randomUUID } from 'node:crypto';
import { limits, type RouteName } from '../../contract/index.ts';
import type { Changed, Clock } from '../base/ports.ts';
import { createProblem } from '../base/problem.ts';
import type { OfferView } from './assistant.ts';
import type { PageLinkChecker } from '../listings/pageLinks.ts';
import { describePersonPage, type OpenPage } from '../service/personPages.ts';
import { repeatWindowMs } from '../approvals/deadlines.ts';
import { toAskerId, type Asker } from '../base/request.ts';

type Offer = Omit<OfferView, 'isKnown'> & {
  atMs: number;
  assistantId: string;
  key: string;
  route: RouteName;
  url: string;
};

type Dismissal = Pick<Offer, 'assistantId' | 'key' | 'atMs'>;

const createDismissalStore = (clock: Clock) => {
  let dismissals: Dismissal[] = [];
  return {
    add: (offer: Offer): void => void (dismissals = [...dismissals, { ...offer, atMs: clock.elapsedMs() }]),
    /** Throws `PERSON_DECLINED` if the person recently dismissed this page. */
    check: (by: Asker, readKey: () => string): void => {
      if (dismissals.length === 0) return;
      const key = readKey();
      dismissals = dismissals.filter(({ atMs }) => clock.elapsedMs() - atMs < repeatWindowMs);
      const found = dismissals.findLast((one) => one.assistantId === toAskerId(by) && one.key === key);
      if (!found) return;
      const retryAfterS = Math.ceil((found.atMs + repeatWindowMs - clock.elapsedMs()) / 1_000);
      throw createProblem('PERSON_DECLINED', { declinedBecause: 'no', retryAfterS });
    },
  };
};

const pageLifetimeMs = limits.connectLinkMs;

export type OfferStore = ReturnType<typeof createOfferStore>;

/** Creates the list of pages that assistants request and only the person may open. */
export const createOfferStore = (clock: Clock, changed: Changed, links: Pick<PageLinkChecker, 'inspectLink'>) => {
  let offers: Offer[] = [];
  const dismissals = createDismissalStore(clock);
  const listLiveOffers = (): Offer[] =>
    (offers = offers.filter(({ atMs }) => clock.elapsedMs() - atMs < pageLifetimeMs));
  const removeLiveOffer = (offerId: string): Offer | null => {
    const found = listLiveOffers().find((one) => one.offerId === offerId) ?? null;
    offers = offers.filter((one) => one !== found);
    if (found) changed('assistants');
    return found;
  };
  return {
    /** Adds an offer. Removes an older offer with the same key, because the link of that offer no longer works. */
    add: (by: Asker, { key, route, url, at, atMs }: OpenPage): void => {
      const what = describePersonPage(route);
      if (by.kind === 'person' || what === null || listLiveOffers().some((one) => one.url === url)) return;
      const { assistantId, name } = by;
      const others = listLiveOffers().filter((one) => one.key !== key);
      const offer = {
        offerId: `of_${randomUUID()}`,
        by: name,
        what: `It would like you to open ${what}.`,
        host: new URL(url).host,
        at,
        atMs,
      };
      offers = [...others, { ...offer, assistantId, key, route, url }];
      changed('assistants');
    },
    list: (): OfferView[] =>
      listLiveOffers().map(({ offerId, by, what, host, at, url }) => {
        const isKnown = links.inspectLink(url)?.isKnown ?? false;
        return { offerId, by, what, host, at, isKnown };
      }),
    /** Removes the offer and returns its address. Throws `OFFER_OVER`, `LINK_REFUSED`. */
    open: (offerId: string): string => {
      const offer = removeLiveOffer(offerId);
      if (!offer) throw createProblem('OFFER_OVER');
      const link = links.inspectLink(offer.url);
      if (!link) throw createProblem('LINK_REFUSED');
      return link.url;
    },
    removeByKey: (key: string): void => {
      const others = listLiveOffers().filter((one) => one.key !== key);
      if (others.length === offers.length) return;
      offers = others;
      changed('assistants');
    },
    forget: (assistantId: string): void => {
      const others = listLiveOffers().filter((one) => one.assistantId !== assistantId);
      if (others.length === offers.length) return;
      offers = others;
      changed('assistants');
    },
    /** Removes the offer and refuses its page for a while. */
    dismiss: (offerId: string): void => {
      const offer = removeLiveOffer(offerId);
      if (offer) dismissals.add(offer);
    },
    /** Throws `PERSON_DECLINED` if the person recently dismissed this page. */
    checkDismissed: dismissals.check,
  };
};
