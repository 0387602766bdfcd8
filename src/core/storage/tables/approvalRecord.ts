import { type RouteName, routeNames } from '../../../contract/index.ts';
import type { NameLikeness } from '../../base/similarNames.ts';
import type { Asker } from '../../base/request.ts';
import type { Message } from '../../../i18n/message.ts';
import * as z from 'zod';

/** Every state of an approval; see `moves`. */
export type ApprovalState =
  | 'pending'
  | 'approved'
  | 'sending'
  | 'done'
  | 'failed'
  | 'unconfirmed'
  | 'declined'
  | 'expired'
  | 'withdrawn'
  | 'superseded';

/**
 * The source of a fact. The names of `specifics`, `policies` and `templates` come from others, so they are shown in
 * groups of their own and never as our words.
 */
export const namespaces = [
  'listing',
  'specifics',
  'record',
  'request',
  'account',
  'defaults',
  'policies',
  'templates',
] as const;
export type Namespace = (typeof namespaces)[number];

/**
 * A leaf of the subject as shown to the person. Namespace and key are unique within a prompt. `label` and `value` are
 * English or data; `labelSays` and `says` are their messages if the words are ours.
 */
export type PromptFact = {
  namespace: Namespace;
  key: string;
  label: string;
  labelSays?: Message | undefined;
  value: string;
  says?: Message | undefined;
  /** The companion has no name for the field, and says so. */
  foreign?: boolean | undefined;
};

/**
 * A changed field, before and after, by its path in the body. `foreign`: the companion has no name for it, and says so.
 */
export type FieldChange = {
  key: string;
  label: string;
  labelSays?: Message | undefined;
  before: string;
  after: string;
  foreign?: boolean | undefined;
  says?: { before?: Message | undefined; after?: Message | undefined } | undefined;
};

/** The money of a prompt. `lines` add up to `totalMinor` in minor units of `currency`. */
export type PromptMoney = {
  /** The name of the amount if it is not a fee of the marketplace. */
  label?: Message | undefined;
  state: 'fee' | 'free' | 'unavailable';
  currency: string | null;
  totalMinor: number | null;
  lines: { name: string; amountMinor: number; says?: Message | undefined }[];
  reason: string | null;
  /** The message for `reason`, if it is ours. */
  says?: Message | undefined;
  quotedAt: number;
};

/** The messages of a prompt, for translation. A heading from the service has none. */
export type PromptMessages = {
  act?: Message | undefined;
  consequence?: Message | undefined;
  undo?: Message | undefined;
  yes?: Message | undefined;
  title?: Message | undefined;
  feeNotice?: Message | undefined;
  mainFact?: Message | undefined;
};

/** Everything the person is shown for an approval, read from the service. Texts are data and are shown as text. */
export type Prompt = {
  /** The heading: "Publish on MKT_US". */
  act: string;
  consequence: string;
  target: {
    listingId: string | null;
    title: string;
    /** The window URL of the first bound photo. */
    photoUrl: string | null;
    /** The window URLs of the bound photos, main photo first, named by their hash. */
    photos: string[];
  } | null;
  facts: PromptFact[];
  changes: FieldChange[];
  money: PromptMoney | null;
  /** The once-per-site fee notice that this approval also accepts. */
  feeNotice: string | null;
  /** The one-line summary in lists: "US$9.99 → US$8.99". Null if the heading says it all. */
  mainFact: string | null;
  undo: string;
  /** True for an irreversible act. */
  final: boolean;
  /** The label of the yes button: "Publish for US$0.35". */
  yes: string;
  /** Missing in prompts stored before the app was translated. */
  says?: PromptMessages | undefined;
};

/**
 * The result of an approval: a sentence, the problem's code if it failed, and a page to open. `unseen` lists the fields
 * that were sent but do not show in the listing.
 */
export type ApprovalOutcome = {
  sentence: string;
  code: string | null;
  url: string | null;
  says?: Message | undefined;
  unseen?: string[] | undefined;
};

/** An approval as a window shows it. */
export type ApprovalView = {
  approvalId: string;
  digest: string;
  state: ApprovalState;
  route: RouteName;
  by: Asker;
  /** The assistant's own words, shown as such. */
  reason: string | null;
  /** The body to be sent, kept so that the same request can be repeated. The prompt shows every leaf of it. */
  body: Record<string, unknown>;
  prompt: Prompt;
  /** The changes since the prompt that this one replaces. */
  sinceShown: FieldChange[];
  /** Its place among the prompts, as a ledger position, which does not depend on the clock. */
  placeSeq: number;
  askedAt: number;
  /** When the prompt was last read or replaced. The yes button is enabled 1.2 s later. */
  shownAt: number;
  expiresAt: number;
  decidedAt: number | null;
  outcome: ApprovalOutcome | null;
  supersededBy: string | null;
  /** The end of the undo window of an irreversible act; otherwise null. */
  heldUntil: number | null;
  /** True when the result could not be determined for ten minutes: the person may unlock the listing. */
  mayUnlock: boolean;
  /** The differences between the live listing and the subject, found after a publish or a revise. */
  differences: FieldChange[];
  /** Why the asker's name can be confused with another; otherwise null. */
  nameLike: NameLikeness | null;
  /** True for requests of the built-in assistant: no window is raised or opened for them. */
  quiet: boolean;
};

/** The state machine of an approval. Any other move is a bug of the companion. */
export const moves = {
  pending: {
    approve: 'approved',
    decline: 'declined',
    expire: 'expired',
    withdraw: 'withdrawn',
    replace: 'superseded',
  },
  /**
   * `refuse`: an earlier request that it depends on was refused. `askAgain`: it was not sent, and needs another
   * approval.
   */
  approved: { send: 'sending', takeBack: 'withdrawn', replace: 'superseded', refuse: 'failed', askAgain: 'pending' },
  /** `contradict`: the service reports success, but the listing shows otherwise. `letGo`: nothing could be read. */
  sending: { answer: 'done', refuse: 'failed', interrupt: 'unconfirmed', contradict: 'unconfirmed' },
  unconfirmed: { confirm: 'done', refute: 'failed', contradict: 'unconfirmed', letGo: 'unconfirmed' },
} as const satisfies Partial<Record<ApprovalState, Record<string, ApprovalState>>>;

type Moves = typeof moves;
export type ApprovalEvent = { [S in keyof Moves]: keyof Moves[S] }[keyof Moves];

/** A decline of a prompt still counts if the approval ended in the same moment without an answer. */
const statesOfLateNo = ['superseded', 'withdrawn', 'expired'] as const satisfies readonly ApprovalState[];

const listMovesFrom = (from: ApprovalState, events: Record<string, ApprovalState>) =>
  Object.entries(events).map(([event, to]) => ({ event, from, to }));
const moveList = [
  ...listMovesFrom('pending', moves.pending),
  ...listMovesFrom('approved', moves.approved),
  ...listMovesFrom('sending', moves.sending),
  ...listMovesFrom('unconfirmed', moves.unconfirmed),
  ...statesOfLateNo.flatMap((from) => listMovesFrom(from, { decline: 'declined' })),
];

/**
 * Returns the states that an event may start from and the one it leads to. The SQL update matches both, so a double
 * click has no effect.
 */
export const findApprovalMove = (event: ApprovalEvent): { from: ApprovalState[]; to: ApprovalState } => {
  const found = moveList.filter((one) => one.event === event);
  const [first] = found;
  if (!first) throw new Error(`No approval state knows the event ${event}.`);
  return { from: found.map(({ from }) => from), to: first.to };
};

/** Tells whether no further move is possible. */
export const isFinalState = (state: ApprovalState): boolean => !(state in moves);

/** The stored name of a route. */
export const routeName = z.enum(routeNames);

const request = z.object({ route: routeName, input: z.unknown() });

const base = { request, first: z.array(request), asker: z.string(), account: z.string() };

const quoteShape = z.object({
  state: z.enum(['fee', 'free', 'unavailable']),
  currency: z.string().nullable(),
  totalMinor: z.int().nullable(),
  lines: z.array(z.object({ name: z.string(), amountMinor: z.int() })),
});

const currentSubject = z.object({
  ...base,
  version: z.literal(2),
  /** Identifies the key of the service without containing it. */
  key: z.string(),
  listing: z.record(z.string(), z.unknown()).nullable(),
  photos: z.array(z.object({ sha256: z.string(), contentType: z.string() })),
  quote: quoteShape.nullable(),
  feeNotice: z.object({ site: z.string(), agreed: z.boolean() }).nullable(),
  context: z.record(z.string(), z.unknown()),
});

/** The format before subjects existed. Approvals in it are never sent. */
const subjectVersion1 = z.object({ ...base, version: z.literal(1), bound: z.record(z.string(), z.string()) });

export const subjectShape = z.discriminatedUnion('version', [currentSubject, subjectVersion1]);

/**
 * The canonical object that an approval is bound to: the request, the asker, the account and its key, the whole listing
 * with its photos by content, the quote, the fee notice, and other data that affects the result. Prompt, digest,
 * receipt and changes are derived from it.
 */
export type Subject = z.infer<typeof currentSubject>;

export type StoredSubject = z.infer<typeof subjectShape>;

export type Quote = z.infer<typeof quoteShape>;
