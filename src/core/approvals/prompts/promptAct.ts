import type { AnswerOf, FeeAnswer, Listing, ParsedInput, RouteName } from '../../../contract/index.ts';
import type { Message } from '../../../i18n/message.ts';
import type { BoundPhoto } from '../../photos/boundPhotos.ts';
import type { FieldChange, PromptFact, PromptMoney, Subject } from '../../storage/tables/approvalRecord.ts';
import type { GatheredFacts } from '../subject.ts';
import type { IdNames } from './ids.ts';

/**
 * Routes that prompts read besides listings and fees. They take no parameters, need no approval, and neither spend nor
 * change anything.
 */
export type ParameterlessRoute =
  | 'readStanding'
  | 'readSellerDefaults'
  | 'listTemplates'
  | 'listConnections'
  | 'listMarketAccounts'
  | 'listChannels'
  | 'listPlans'
  | 'readMarketStatus'
  | 'readPushPreferences';

/** Fresh reads of the service for creating subjects. */
export type Reads = {
  listing: (listingId: string) => Promise<Listing>;
  /** Whether a listing is or was live, as far as this machine knows. */
  wentLive: (listingId: string) => boolean;
  /** Returns the photos of a listing by content. Throws PHOTOS_UNREADABLE if one cannot be read and `needed` is set. */
  photos: (listing: Listing, needed: boolean) => Promise<BoundPhoto[]>;
  /** Returns the service's answer about the channels where a listing is or was live. */
  channels: (listingId: string) => Promise<unknown>;
  /** Returns why the last publish of a listing was refused; null if it was not. */
  lastRefusal: (listingId: string) => { code: string; sentence: string } | null;
  fees: (listingId: string, body: Record<string, string>) => Promise<{ answer: FeeAnswer; quotedAt: number }>;
  /** Returns the sites with an accepted fee notice, for use when no quote is available. */
  confirmedSites: () => readonly string[];
  /** Returns the policies of a site, or of all sites; null if today's budget for these reads is spent. */
  policies: (site: string | null) => Promise<unknown>;
  /** Returns a category of a site by its id; null if today's budget for these reads is spent. */
  category: (categoryId: string, site: string | null) => Promise<unknown>;
  /** Returns the connected person's record: name, language, settings. */
  user: () => Promise<unknown>;
  emailPreferences: () => Promise<unknown>;
  plain: <N extends ParameterlessRoute>(route: N) => Promise<AnswerOf<N>>;
  /** Returns the extras left per asker, from the companion's own accounts. */
  extras: () => { extrasApprovalId: string; asker: string; left: number }[];
  now: () => number;
};

/** What a prompt shows that no approval is bound to: the age of the quote, and why there is none. */
export type PromptMoment = {
  readAt: number;
  reason: string | null;
  says?: Message | undefined;
  /** The number of listings left in the plan and credits. */
  left?: number;
};

/** A text of the companion, or words of the service as they are. */
export type Wording = Message | string;

/** The act's own content of a prompt. Every field that is sent is shown in addition. */
export type PromptContent = {
  act: Wording;
  consequence: Wording;
  yes: Wording;
  /** How the act can be undone; undefined if it cannot. */
  undo?: Wording;
  /** The title of the target if it is not a listing. */
  title?: Wording;
  facts?: PromptFact[];
  /**
   * The record whose fields the body changes, to show them before and after; null if it could not be found.
   * If undefined, the body changes no existing values, and its fields are shown as facts.
   */
  before?: Readonly<Record<string, unknown>> | null | undefined;
  /** Fields of the body that change nothing in that record. */
  unchanging?: readonly string[];
  /** Further changes caused by the body, such as values that it replaces on other channels. */
  changes?: FieldChange[];
  /** The currency of prices in the body. */
  currency?: string | null;
  money?: PromptMoney;
  feeNotice?: Message | null;
  /** The line for lists of prompts. If undefined, the main change is shown; null if the heading already says everything. */
  mainFact?: Message | null;
};

/** The input from which an act renders its prompt. */
export type ActInput<N extends RouteName> = {
  input: ParsedInput<N>;
  /** The bound listing; only for acts that gather a listing. */
  listing: Listing;
  subject: Subject;
  moment: PromptMoment;
  names: IdNames;
};

/**
 * The definition of a route that needs approval. `gather` reads what it needs and throws a `Problem` if the service would
 * refuse the request anyway. `render` works from the subject alone.
 */
export type PromptAct<N extends RouteName> = {
  gather: (
    input: ParsedInput<N>,
    reads: Reads,
    by: 'person' | 'assistant',
  ) => Promise<GatheredFacts & { moment?: PromptMoment }>;
  render: (seen: ActInput<N>) => PromptContent;
};
