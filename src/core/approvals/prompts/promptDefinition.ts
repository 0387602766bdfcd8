import type { AnswerOf, FeeAnswer, Listing, ParsedInput, RouteName } from '../../../contract/index.ts';
import type { Message } from '../../../i18n/message.ts';
import type { BoundPhoto } from '../../photos/boundPhotos.ts';
import type { FieldChange, PromptFact, PromptMoney, Subject } from '../../storage/tables/approvalRecord.ts';
import type { GatheredFacts } from '../subject.ts';
import type { IdNames } from './ids.ts';

/** Routes that prompts read besides listings and fees. These routes take no parameters and change nothing. */
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

export type Reads = {
  listing: (listingId: string) => Promise<Listing>;
  /** Returns whether this computer knows that the listing is or was live. */
  wentLive: (listingId: string) => boolean;
  /** Throws PHOTOS_UNREADABLE if a photo cannot be read and `needed` is set. */
  photos: (listing: Listing, needed: boolean) => Promise<BoundPhoto[]>;
  channels: (listingId: string) => Promise<unknown>;
  /** Returns why the last publish of the listing was refused; null if it was not refused. */
  lastRefusal: (listingId: string) => { code: string; sentence: string } | null;
  fees: (listingId: string, body: Record<string, string>) => Promise<{ answer: FeeAnswer; quotedAt: number }>;
  /** Returns the sites whose fee notice is accepted. Used if no quote is available. */
  confirmedSites: () => readonly string[];
  /** Returns the policies of a site (null: of all sites); null if today's budget for these reads is spent. */
  policies: (site: string | null) => Promise<unknown>;
  /** Returns null if today's budget for these reads is spent. */
  category: (categoryId: string, site: string | null) => Promise<unknown>;
  user: () => Promise<unknown>;
  emailPreferences: () => Promise<unknown>;
  plain: <N extends ParameterlessRoute>(route: N) => Promise<AnswerOf<N>>;
  /** Returns the extras that each asker has left, according to the count of the companion. */
  extras: () => { extrasApprovalId: string; asker: string; left: number }[];
  now: () => number;
};

/** A prompt shows these values, but the approval is not bound to them. */
export type UnboundPromptInfo = {
  readAt: number;
  reason: string | null;
  says?: Message | undefined;
  /** The number of listings left in the plan and credits. */
  left?: number;
};

/** A message of the companion, or words of the service as plain text. */
export type Wording = Message | string;

export type PromptContent = {
  act: Wording;
  consequence: Wording;
  yes: Wording;
  /** How the person can undo the request; undefined if it cannot be undone. */
  undo?: Wording;
  /** The title of the target if it is not a listing. */
  title?: Wording;
  facts?: PromptFact[];
  /** The record that the body changes; null if it was not found, undefined if the body changes no record. */
  before?: Readonly<Record<string, unknown>> | null | undefined;
  /** Fields of the body that change nothing in the record `before`. */
  unchanging?: readonly string[];
  /** Further changes that the body causes, such as replaced values on other channels. */
  changes?: FieldChange[];
  currency?: string | null;
  money?: PromptMoney;
  feeNotice?: Message | null;
  /** The line for lists of prompts. Null: no line. Undefined: the line shows the main change. */
  mainFact?: Message | null;
};

export type PromptInput<N extends RouteName> = {
  input: ParsedInput<N>;
  /** Available only if `gather` reads a listing. */
  listing: Listing;
  subject: Subject;
  moment: UnboundPromptInfo;
  names: IdNames;
};

/** `gather` throws a `Problem` if the service would refuse the request; `render` uses only the subject. */
export type PromptDefinition<N extends RouteName> = {
  gather: (
    input: ParsedInput<N>,
    reads: Reads,
    by: 'person' | 'assistant',
  ) => Promise<GatheredFacts & { moment?: UnboundPromptInfo }>;
  render: (seen: PromptInput<N>) => PromptContent;
};
