import { type RouteName, routeNames } from '../../../contract/index.ts';
import type { NameLikeness } from '../../base/similarNames.ts';
import type { Asker } from '../../base/request.ts';
import type { ProofKind } from '../../presence/proof.ts';
import type { Message } from '../../../i18n/message.ts';
import * as z from 'zod';

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
 * The source of a fact. Names in `specifics`, `policies` and `templates` come from other people, so the prompt shows
 * each source in a separate group.
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
 * Namespace and key together are unique within a prompt. `labelSays` and `says` exist only for the companion's own
 * words.
 */
export type PromptFact = {
  namespace: Namespace;
  key: string;
  label: string;
  labelSays?: Message | undefined;
  value: string;
  says?: Message | undefined;
  /** True if the companion has no name for the field. The prompt then says so. */
  foreign?: boolean | undefined;
};

/** `key` is the path of the field in the body. `foreign`: the companion has no name for the field. */
export type FieldChange = {
  key: string;
  label: string;
  labelSays?: Message | undefined;
  before: string;
  after: string;
  foreign?: boolean | undefined;
  says?: { before?: Message | undefined; after?: Message | undefined } | undefined;
};

/** Amounts are in minor units of `currency`, and `lines` add up to `totalMinor`. */
export type PromptMoney = {
  /** The name of the amount, if the amount is not a fee of the marketplace. */
  label?: Message | undefined;
  state: 'fee' | 'free' | 'unavailable';
  currency: string | null;
  totalMinor: number | null;
  lines: { name: string; amountMinor: number; says?: Message | undefined }[];
  reason: string | null;
  says?: Message | undefined;
  quotedAt: number;
};

export type PromptMessages = {
  act?: Message | undefined;
  consequence?: Message | undefined;
  undo?: Message | undefined;
  yes?: Message | undefined;
  title?: Message | undefined;
  feeNotice?: Message | undefined;
  mainFact?: Message | undefined;
};

/**
 * Everything that the person is shown for an approval. Many texts come from other people, so all are shown as plain
 * text.
 */
export type Prompt = {
  act: string;
  consequence: string;
  target: {
    listingId: string | null;
    title: string;
    photoUrl: string | null;
    /** URL paths in the window, main photo first. */
    photos: string[];
  } | null;
  facts: PromptFact[];
  changes: FieldChange[];
  money: PromptMoney | null;
  /** The fee notice of the site, which this approval also accepts. */
  feeNotice: string | null;
  /** The summary in lists, such as "US$9.99 → US$8.99"; null if the heading is enough. */
  mainFact: string | null;
  undo: string;
  /** Whether the act is irreversible. */
  final: boolean;
  yes: string;
  /** Undefined in prompts that were stored before the app was translated. */
  says?: PromptMessages | undefined;
};

/** `unseen` lists the fields that were sent but that the listing does not show. */
export type ApprovalOutcome = {
  sentence: string;
  code: string | null;
  url: string | null;
  says?: Message | undefined;
  unseen?: string[] | undefined;
};

export type ApprovalView = {
  approvalId: string;
  digest: string;
  state: ApprovalState;
  route: RouteName;
  by: Asker;
  /** The assistant's own words. The window must say so. */
  reason: string | null;
  body: Record<string, unknown>;
  prompt: Prompt;
  /** The differences from the previous prompt, which this prompt replaced. */
  sinceShown: FieldChange[];
  /** The position in the order of prompts. A clock change does not affect it. */
  placeSeq: number;
  askedAt: number;
  /** When the prompt was last read or replaced. The yes button works only 1.2 s later. */
  shownAt: number;
  expiresAt: number;
  decidedAt: number | null;
  /**
   * How the person gave the yes; `press` without a proof, and `…Earlier` if a proof of an earlier yes counted. Null if
   * there was no yes, or if an older version stored it.
   */
  confirmedBy: ProofKind | `${ProofKind}Earlier` | 'press' | null;
  outcome: ApprovalOutcome | null;
  supersededBy: string | null;
  /** The end of the undo window; null if the act is reversible. */
  heldUntil: number | null;
  /** True if the result has been unknown for ten minutes. */
  mayUnlock: boolean;
  differences: FieldChange[];
  nameLike: NameLikeness | null;
  /** True for prompts of the built-in assistant, which never open a window. */
  quiet: boolean;
};

export const approvalTransitions = {
  pending: {
    approve: 'approved',
    decline: 'declined',
    expire: 'expired',
    withdraw: 'withdrawn',
    replace: 'superseded',
  },
  /**
   * `refuse`: an earlier request that this one needs was refused. `askAgain`: the request was not sent and needs
   * another approval.
   */
  approved: { send: 'sending', takeBack: 'withdrawn', replace: 'superseded', refuse: 'failed', askAgain: 'pending' },
  /**
   * `contradict`: the service reports success, but the listing shows something else. `letGo`: the result cannot be
   * read.
   */
  sending: { answer: 'done', refuse: 'failed', interrupt: 'unconfirmed', contradict: 'unconfirmed' },
  unconfirmed: { confirm: 'done', refute: 'failed', contradict: 'unconfirmed', letGo: 'unconfirmed' },
} as const satisfies Partial<Record<ApprovalState, Record<string, ApprovalState>>>;

type ApprovalTransitions = typeof approvalTransitions;
export type ApprovalEvent = {
  [S in keyof ApprovalTransitions]: keyof ApprovalTransitions[S];
}[keyof ApprovalTransitions];

/** If the person declines just when the approval ends, the decline still counts. */
const statesWithLateDecline = ['superseded', 'withdrawn', 'expired'] as const satisfies readonly ApprovalState[];

const listTransitionsFrom = (from: ApprovalState, events: Record<string, ApprovalState>) =>
  Object.entries(events).map(([event, to]) => ({ event, from, to }));
const transitionList = [
  ...listTransitionsFrom('pending', approvalTransitions.pending),
  ...listTransitionsFrom('approved', approvalTransitions.approved),
  ...listTransitionsFrom('sending', approvalTransitions.sending),
  ...listTransitionsFrom('unconfirmed', approvalTransitions.unconfirmed),
  ...statesWithLateDecline.flatMap((from) => listTransitionsFrom(from, { decline: 'declined' })),
];

/**
 * Returns the states in which an event is possible, and the state that follows. The SQL update checks the state, so
 * that a double click has no effect.
 */
export const findApprovalTransition = (event: ApprovalEvent): { from: ApprovalState[]; to: ApprovalState } => {
  const found = transitionList.filter((one) => one.event === event);
  const [first] = found;
  if (!first) throw new Error(`No approval state knows the event ${event}.`);
  return { from: found.map(({ from }) => from), to: first.to };
};

/** Returns whether no event can change this state. */
export const isFinalState = (state: ApprovalState): boolean => !(state in approvalTransitions);

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
  /** A fingerprint of the service's key, not the key itself. */
  key: z.string(),
  listing: z.record(z.string(), z.unknown()).nullable(),
  photos: z.array(z.object({ sha256: z.string(), contentType: z.string() })),
  quote: quoteShape.nullable(),
  feeNotice: z.object({ site: z.string(), agreed: z.boolean() }).nullable(),
  context: z.record(z.string(), z.unknown()),
});

/** The format before subjects existed. Approvals in this format are never sent. */
const subjectVersion1 = z.object({ ...base, version: z.literal(1), bound: z.record(z.string(), z.string()) });

export const subjectShape = z.discriminatedUnion('version', [currentSubject, subjectVersion1]);

/** The canonical object that an approval is bound to. */
export type Subject = z.infer<typeof currentSubject>;

export type StoredSubject = z.infer<typeof subjectShape>;

export type Quote = z.infer<typeof quoteShape>;
