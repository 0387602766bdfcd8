import {
  feeAnswer,
  inputOf,
  listing as listingShape,
  routeOf,
  type FeeAnswer,
  type ParsedInput,
  type RawInput,
  type RouteName,
} from '../../contract/index.ts';
import { writes } from '../service/throttle/floors.ts';
import { listingIdOf } from '../base/listingIdOf.ts';
import { createBoundedMap } from '../base/boundedMap.ts';
import type { Clock } from '../base/ports.ts';
import type { ServiceClient } from '../service/serviceClient.ts';
import { digestOf } from '../base/canonicalJson.ts';
import { boundListing } from './subject.ts';

/** A fee quote and when the service gave it. */
export type Quoted = { answer: FeeAnswer; quotedAt: number };
type Kept = Quoted & { account: string; listingId: string; listing: string };

/** How long a quote may be shown again. */
const standsMs = 10 * 60_000;
const mostKept = 500;

export type Quotes = ReturnType<typeof createQuotes>;

/**
 * The fee quotes of everybody here, as the interface asks for one a publish: what is shown before a yes shares one of
 * the last ten minutes, as long as nobody here wrote to the listing and it reads as it did then. `client` is the same
 * client, listened to.
 */
export const createQuotes = (service: ServiceClient, clock: Clock, account: () => string | null) => {
  const kept = createBoundedMap<string, Kept>(mostKept);
  /** What each listing was like when it was read last; a quote is of the listing as it was then. */
  const seen = createBoundedMap<string, string>(mostKept);
  /** The sites whose fees each account has agreed to, as the last answer had them. */
  const agreed = createBoundedMap<string | null, readonly string[]>(mostKept);
  const listingKey = (listingId: string): string => `${account()} ${listingId}`;
  const keyOf = (listingId: string, body: object): string => digestOf([account(), listingId, body]);

  const noteQuote = ({ params, body }: ParsedInput<'quoteFees'>, answer: FeeAnswer, listing: string | undefined) => {
    const { listingId } = params;
    // What could not be had is asked for again.
    if (listing === undefined || (answer.quote?.state !== 'fee' && answer.quote?.state !== 'free')) return;
    const quoted = { answer, quotedAt: clock.now(), account: account() ?? '', listingId, listing };
    kept.set(keyOf(listingId, body), quoted);
  };

  /** Who agreed to a site's fee notice agreed to it for every listing. */
  const noteConfirmed = ({ feeNotice }: FeeAnswer): void => {
    for (const [key, one] of [...kept.entries()])
      if (one.account === account()) kept.set(key, { ...one, answer: { ...one.answer, feeNotice } });
  };

  /** After a write: to the listing, or to what every fee may depend on, as policies, defaults and templates. */
  const forget = (route: RouteName, listingId: string | null): void => {
    if (listingId !== null) return seen.delete(listingKey(listingId));
    if (routeOf(route).group !== 'Marketplace account, publishing and catalogue') return;
    for (const [key] of [...kept.entries()]) kept.delete(key);
  };

  const client: ServiceClient = {
    send: async (route, input, options) => {
      const listingId = listingIdOf(input);
      const before = listingId === null ? undefined : seen.get(listingKey(listingId));
      try {
        const answered = await service.send(route, input, options);
        note(route, input, answered.answer, before);
        return answered;
      } finally {
        if (writes(route)) forget(route, listingId);
      }
    },
  };

  const note = (route: RouteName, input: RawInput, answer: unknown, before: string | undefined): void => {
    if (route === 'readListing') {
      const listing = listingShape.parse(answer);
      seen.set(listingKey(listing.listingId), digestOf(boundListing(listing)));
    }
    if (route !== 'quoteFees') return;
    const asked = inputOf(route, input);
    const quoted = feeAnswer.parse(answer);
    agreed.set(account(), quoted.feeNotice?.confirmedSites ?? []);
    if (asked.body.action === 'confirm') noteConfirmed(quoted);
    else noteQuote(asked, quoted, before);
  };

  return {
    client,
    /** The sites whose fees are agreed to, as far as a quote has told. */
    confirmedSites: (): readonly string[] => agreed.get(account()) ?? [],
    /** The quote of the last `mostMs` for the listing as it was read last; null when there is none. */
    shown: ({ params, body }: ParsedInput<'quoteFees'>, mostMs = standsMs): Quoted | null => {
      const found = kept.get(keyOf(params.listingId, body));
      const isOld = !found || clock.now() - found.quotedAt >= mostMs || clock.now() < found.quotedAt;
      return isOld || seen.get(listingKey(params.listingId)) !== found.listing ? null : found;
    },
  };
};
