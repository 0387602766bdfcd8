import { type RouteName, routeNames } from '../../../contract/index.ts';
import type { NameLike } from '../../base/similarNames.ts';
import type { Asker } from '../../base/request.ts';
import type { Message } from '../../../i18n/message.ts';
import * as z from 'zod';

/** Every state of an approval; `states.ts` holds the moves. */
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
 * Where a fact comes from. Facts of `specifics`, `policies` and `templates` bear names that somebody else gave: they stand
 * in groups of their own and are never shown in our words.
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
 * A leaf of the subject as it is shown; two of one prompt never share namespace and key. `label` and `value` are English,
 * or data; `labelSays` and `says` are the messages of those that are in words of ours.
 */
export type Fact = {
  namespace: Namespace;
  key: string;
  label: string;
  labelSays?: Message | undefined;
  value: string;
  says?: Message | undefined;
  /** The companion has no name for the field, and says so. */
  foreign?: boolean | undefined;
};

/** A field that is sent, before and after, by its path in the body. `foreign`: the companion has no name for it, and says so. */
export type Change = {
  key: string;
  label: string;
  labelSays?: Message | undefined;
  before: string;
  after: string;
  foreign?: boolean | undefined;
  says?: { before?: Message | undefined; after?: Message | undefined } | undefined;
};

/** The money of a prompt. `lines` add up to `totalMinor` in minor units of `currency`. */
export type Money = {
  /** What it is called where it is no fee of the marketplace's. */
  label?: Message | undefined;
  state: 'fee' | 'free' | 'unavailable';
  currency: string | null;
  totalMinor: number | null;
  lines: { name: string; amountMinor: number; says?: Message | undefined }[];
  reason: string | null;
  /** What other languages say the reason from, where it is ours. */
  says?: Message | undefined;
  quotedAt: number;
};

/** The messages that a prompt is translated from; a heading that the service gave has none. */
export type PromptMessages = {
  act?: Message | undefined;
  consequence?: Message | undefined;
  undo?: Message | undefined;
  yes?: Message | undefined;
  title?: Message | undefined;
  feeNotice?: Message | undefined;
  mainFact?: Message | undefined;
};

/** Everything the person is shown, read from the service; texts are data and are shown as text. */
export type Prompt = {
  /** The heading: "Publish on MKT_US". */
  act: string;
  consequence: string;
  target: {
    listingId: string | null;
    title: string;
    /** The address in the window of the first photo that is bound. */
    photoUrl: string | null;
    /** The photos that are bound, main photo first, as addresses in the window that are named by their hash. */
    photos: string[];
  } | null;
  facts: Fact[];
  changes: Change[];
  money: Money | null;
  /** The once-per-site fee notice that this yes also agrees to. */
  feeNotice: string | null;
  /** What lists of prompts say of it in one line: "US$9.99 → US$8.99". Null where the heading tells it all. */
  mainFact: string | null;
  undo: string;
  /** True when it cannot be undone. */
  final: boolean;
  /** The yes button: "Publish for US$0.35". */
  yes: string;
  /** Absent in one that was stored before there were other languages. */
  says?: PromptMessages | undefined;
};

/**
 * How it ended: a sentence, the problem's code when it failed, and a page to open. `unseen` are the fields that were to be
 * set and that reading does not show.
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
  /** What is sent as the body, so that the same can be asked for again; every leaf of it is shown in the prompt. */
  body: Record<string, unknown>;
  prompt: Prompt;
  /** What changed since the prompt that this one replaces. */
  sinceShown: Change[];
  /** Its place among the prompts, as a position in the ledger: no wall clock that is set changes it. */
  placeSeq: number;
  askedAt: number;
  /** When what is shown was last read or replaced; the yes is live 1.2 s later. */
  shownAt: number;
  expiresAt: number;
  decidedAt: number | null;
  outcome: ApprovalOutcome | null;
  supersededBy: string | null;
  /** Until when an act that cannot be undone is held back after the yes, and can be taken back; else null. */
  heldUntil: number | null;
  /** True when nobody could find out for ten minutes what became of it: the person may unlock the listing. */
  mayUnlock: boolean;
  /** What is live and differs from what was bound, where that was found after a publish or a revise. */
  differences: Change[];
  /** Why the asker's name is easily taken for another one's; null when it is not. */
  nameLike: NameLike | null;
  /** Of the assistant that came with the program: it waits without being raised, no window opens it by itself. */
  quiet: boolean;
};

/** The life of an approval as a table. A move that is not here is an error in the companion. */
export const moves = {
  pending: {
    approve: 'approved',
    decline: 'declined',
    expire: 'expired',
    withdraw: 'withdrawn',
    replace: 'superseded',
  },
  /** `refuse`: a request that goes before it was refused. `askAgain`: it was not sent, and needs another yes. */
  approved: { send: 'sending', takeBack: 'withdrawn', replace: 'superseded', refuse: 'failed', askAgain: 'pending' },
  /** `contradict`: the service says that it is done, and the listing says otherwise. `letGo`: nothing could be read. */
  sending: { answer: 'done', refuse: 'failed', interrupt: 'unconfirmed', contradict: 'unconfirmed' },
  unconfirmed: { confirm: 'done', refute: 'failed', contradict: 'unconfirmed', letGo: 'unconfirmed' },
} as const satisfies Partial<Record<ApprovalState, Record<string, ApprovalState>>>;

type Moves = typeof moves;
export type ApprovalEvent = { [S in keyof Moves]: keyof Moves[S] }[keyof Moves];

/** A no to what was shown counts also where that left in the same moment without an answer. */
const statesOfLateNo = ['superseded', 'withdrawn', 'expired'] as const satisfies readonly ApprovalState[];

const movesFrom = (from: ApprovalState, events: Record<string, ApprovalState>) =>
  Object.entries(events).map(([event, to]) => ({ event, from, to }));
const moveList = [
  ...movesFrom('pending', moves.pending),
  ...movesFrom('approved', moves.approved),
  ...movesFrom('sending', moves.sending),
  ...movesFrom('unconfirmed', moves.unconfirmed),
  ...statesOfLateNo.flatMap((from) => movesFrom(from, { decline: 'declined' })),
];

/** Where an event may come from and where it leads: the SQL update names both, so a double click finds nothing to move. */
export const moveOf = (event: ApprovalEvent): { from: ApprovalState[]; to: ApprovalState } => {
  const found = moveList.filter((one) => one.event === event);
  const [first] = found;
  if (!first) throw new Error(`No approval state knows the event ${event}.`);
  return { from: found.map(({ from }) => from), to: first.to };
};

/** True when nothing more can happen to it. */
export const isFinal = (state: ApprovalState): boolean => !(state in moves);

/** The name of a route as it is stored. */
export const routeName = z.enum(routeNames);

const request = z.object({ route: routeName, input: z.unknown() });

const base = { request, first: z.array(request), asker: z.string(), account: z.string() };

const quoteShape = z.object({
  state: z.enum(['fee', 'free', 'unavailable']),
  currency: z.string().nullable(),
  totalMinor: z.int().nullable(),
  lines: z.array(z.object({ name: z.string(), amountMinor: z.int() })),
});

const current = z.object({
  ...base,
  version: z.literal(2),
  /** Names the key of the service without being it. */
  key: z.string(),
  listing: z.record(z.string(), z.unknown()).nullable(),
  photos: z.array(z.object({ sha256: z.string(), contentType: z.string() })),
  quote: quoteShape.nullable(),
  feeNotice: z.object({ site: z.string(), agreed: z.boolean() }).nullable(),
  context: z.record(z.string(), z.unknown()),
});

/** What approvals were bound to before there were subjects; none of them is ever sent any more. */
const earlier = z.object({ ...base, version: z.literal(1), bound: z.record(z.string(), z.string()) });

export const subjectShape = z.discriminatedUnion('version', [current, earlier]);

/**
 * What a yes is bound to: the request, who asks, the account and its key, the whole listing with its photos by content,
 * the quote, the fee notice, and what else the service would act by. Prompt, digest, receipt and "what changed" are
 * projections of it.
 */
export type Subject = z.infer<typeof current>;

export type StoredSubject = z.infer<typeof subjectShape>;

export type Quote = z.infer<typeof quoteShape>;
