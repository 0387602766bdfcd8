import type { AnswerOf, FeeAnswer, Listing, ParsedInput, RouteName } from '../../../contract/index.ts';
import type { Message } from '../../../i18n/message.ts';
import type { BoundPhoto } from '../../photos/boundPhotos.ts';
import type { Change, Fact, Money, Subject } from '../../storage/tables/approvalRecord.ts';
import type { Gathered } from '../subject.ts';
import type { Names } from './ids.ts';

/** Routes that prompts read besides listings and fees. None of them takes parameters, asks, spends or changes anything. */
export type PlainRead =
  | 'readStanding'
  | 'readSellerDefaults'
  | 'listTemplates'
  | 'listConnections'
  | 'listMarketAccounts'
  | 'listChannels'
  | 'listPlans'
  | 'readMarketStatus'
  | 'readPushPreferences';

/** Fresh reads of the service that subjects are made of. */
export type Reads = {
  listing: (listingId: string) => Promise<Listing>;
  /** Whether a listing is or was live, as far as this machine has seen. */
  wentLive: (listingId: string) => boolean;
  /** The photos of a listing by content. Throws PHOTOS_UNREADABLE where one cannot be read and `needed`. */
  photos: (listing: Listing, needed: boolean) => Promise<BoundPhoto[]>;
  /** Where a listing is or was live, as the service answers it. */
  channels: (listingId: string) => Promise<unknown>;
  /** What the last publish of a listing was refused for; null where it was not. */
  lastRefusal: (listingId: string) => { code: string; sentence: string } | null;
  fees: (listingId: string, body: Record<string, string>) => Promise<{ answer: FeeAnswer; quotedAt: number }>;
  /** The sites whose fees are agreed to, where no quote can be had that tells. */
  confirmedSites: () => readonly string[];
  /** The policies of a site, or of all; null when today's budget for reading them is spent. */
  policies: (site: string | null) => Promise<unknown>;
  /** A category of a site by its id; null when today's budget for reading them is spent. */
  category: (categoryId: string, site: string | null) => Promise<unknown>;
  /** The connected person's own record: name, language, settings. */
  user: () => Promise<unknown>;
  emailPreferences: () => Promise<unknown>;
  plain: <N extends PlainRead>(route: N) => Promise<AnswerOf<N>>;
  /** The companion's books of extras: how many are left to whom. */
  extras: () => { extrasApprovalId: string; asker: string; left: number }[];
  now: () => number;
};

/** What a prompt tells of the moment and no yes is bound to: how old the quote is, and why there is none. */
export type Moment = {
  readAt: number;
  reason: string | null;
  says?: Message | undefined;
  /** How many listings of plan and credits are left. */
  left?: number;
};

/** A text of ours, or words of the service's as they are. */
export type Wording = Message | string;

/** What an act says of itself; what is left out has its plain value. Every field that is sent is shown besides, by itself. */
export type Sheet = {
  act: Wording;
  consequence: Wording;
  yes: Wording;
  /** How it can be undone; left out when it cannot. */
  undo?: Wording;
  /** The thing it is about when that is no listing. */
  title?: Wording;
  facts?: Fact[];
  /**
   * The record whose fields the body changes, so that they are shown before and after; null where it could not be found.
   * Without it the body changes nothing that is there, and its fields are facts of the request.
   */
  before?: Readonly<Record<string, unknown>> | null | undefined;
  /** Fields of the body that change nothing of it. */
  unchanging?: readonly string[];
  /** Changes that the body's fields make besides, as where they take the place of something else at another place. */
  changes?: Change[];
  /** The currency of prices among the body's fields. */
  currency?: string | null;
  money?: Money;
  feeNotice?: Message | null;
  /** What a list of prompts says of it; left out where that is what it changes, null where the heading tells it all. */
  mainFact?: Message | null;
};

/** A subject as its act sees it. */
export type Seen<N extends RouteName> = {
  input: ParsedInput<N>;
  /** The listing as it is bound; only for acts that gathered one. */
  listing: Listing;
  subject: Subject;
  moment: Moment;
  names: Names;
};

/**
 * One asking route: what is read for it, and what it says. `gather` throws a `Problem` when the service would refuse the
 * request anyway. `sheet` knows nothing but the subject.
 */
export type Act<N extends RouteName> = {
  gather: (input: ParsedInput<N>, reads: Reads, by: 'person' | 'assistant') => Promise<Gathered & { moment?: Moment }>;
  sheet: (seen: Seen<N>) => Sheet;
};
