import type { AnswerOf, InputOf, RouteName } from '../../../contract/index.ts';
import type { AskedEarly, CallAnswer, Reply, CallInput, CallName, CompanionWindow } from '../../../ipc/calls.ts';
import { createStore, withEntry } from './createStore.ts';
import { t, translate } from '../i18n.ts';

export type AppState = CallAnswer<'app.state'>;
export type ItemView = CallAnswer<'items.get'>;
export type ItemSummary = CallAnswer<'items.list'>['rows'][number];
export type PhotoView = ItemView['photos'][number];
export type SheetRow = CallAnswer<'items.sheet'>['rows'][number];
export type SheetPhoto = SheetRow['photos'][number];
export type ItemStop = NonNullable<ItemView['stop']>;
export type NextStep = ItemStop['next'][number];
export type Added = CallAnswer<'items.add'>;
export type ApprovalView = CallAnswer<'approvals.get'>;
export type Prompt = ApprovalView['prompt'];
export type Change = Prompt['changes'][number];
export type Fact = Prompt['facts'][number];
export type Money = NonNullable<Prompt['money']>;
export type Assistants = CallAnswer<'assistants.list'>;
export type Assistant = Assistants['assistants'][number];
export type Activity = CallAnswer<'assistants.activity'>['rows'][number];
export type Listing = AnswerOf<'readListing'>;
export type BatchView = CallAnswer<'batch.list'>[number];
export type BatchRow = BatchView['rows'][number];
export type HistoryPage = CallAnswer<'history.search'>;
export type HistoryRow = HistoryPage['rows'][number];
export type ListingCounts = CallAnswer<'listings.counts'>;
export type ListingRow = CallAnswer<'listings.search'>['rows'][number];
export type Standing = AnswerOf<'readStanding'>;

type Problem = Extract<Reply, { ok: false }>['problem'];

/** A refused call: a sentence for the person, a stable code, and optionally the field and the retry time. */
export class CallError extends Error {
  readonly code: string;
  readonly field: string | undefined;
  readonly retryAfterS: number | undefined;
  readonly says: Problem['says'];

  constructor(problem: Problem) {
    super(problem.sentence);
    this.name = 'CallError';
    this.code = problem.code;
    this.field = problem.field;
    this.retryAfterS = problem.retryAfterS;
    this.says = problem.says;
  }
}

/** Returns the sentence of an error; an error other than a CallError gets a general sentence. */
export const sentenceOf = (error: unknown): string =>
  error instanceof CallError ? translate(error.says, error.message) : t('app.noAnswer');

declare global {
  interface Window {
    companion?: CompanionWindow;
    companionAsked?: AskedEarly;
  }
}

/** Returns the host's interface of this window. Throws `NO_HOST` outside of the companion. */
export const companion = (): CompanionWindow => {
  if (window.companion) return window.companion;
  throw new CallError({ code: 'NO_HOST', sentence: 'This page runs only inside the companion.' });
};

/** Returns the answer in a reply to the named call. Throws `CallError` for a refusal. */
export const answerIn = <N extends CallName>(_name: N, reply: Reply): CallAnswer<N> => {
  if (!reply.ok) throw new CallError(reply.problem);
  // The host uses the same table of calls, so its value is trusted here.
  return reply.value as CallAnswer<N>;
};

/** Calls that wait for the service, a system dialog, another program, or work on many photos. */
const slowCalls: ReadonlySet<CallName> = new Set<CallName>([
  ...(['app.open', 'app.update', 'app.diagnostics', 'offers.open', 'service.perform'] as const),
  ...(['approvals.approve', 'approvals.lower', 'approvals.takeBack', 'approvals.unlock'] as const),
  ...(['backups.make', 'backups.restore', 'batch.approve', 'batch.ask', 'batch.askFor', 'batch.takeBack'] as const),
  ...(['clients.connect', 'clients.disconnect', 'clients.list', 'clients.plan'] as const),
  ...(['connect.clipboard', 'connect.forget', 'connect.key', 'connect.practice'] as const),
  ...(['connect.start', 'connect.verify', 'history.export', 'history.search'] as const),
  ...(['items.add', 'items.addInto', 'items.addSamples', 'items.barcode', 'items.check'] as const),
  ...(['listings.again', 'listings.export', 'photos.avatar', 'photos.cleanUp', 'receipts.export'] as const),
]);
/** The time limit of all other calls, which the core answers from its own data. */
export const maxAnswerMs = 30_000;

const lateAnswer = (): CallError =>
  new CallError({ code: 'NO_ANSWER', sentence: t('app.lateAnswer', { seconds: maxAnswerMs / 1_000 }) });

const withinLimit = <T>(answer: Promise<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(lateAnswer()), maxAnswerMs);
    answer.then(resolve, reject).finally(() => clearTimeout(timer));
  });

/**
 * Calls the core. Throws `CallError` for a refusal, with `NO_ANSWER` if a call that waits for nothing outside of the
 * core takes more than 30 s.
 */
export const call = async <N extends CallName>(name: N, input: CallInput<N>): Promise<CallAnswer<N>> => {
  const reply = companion().call(name, input);
  return answerIn(name, await (slowCalls.has(name) ? reply : withinLimit(reply)));
};

/** Returns the URL in this window for a path of the core; other addresses, such as blobs, are unchanged. */
export const addressOf = (path: string): string => (path.startsWith('/') ? companion().base + path : path);

/** The outcome of a request to the service: its answer, or an approval that is pending. */
export type Performed<N extends RouteName> =
  { state: 'done'; answer: AnswerOf<N> } | { state: 'pending'; approvalId: string };

/** Why a slow request runs: the person acted, or a screen loads its data. */
type Wait = 'act' | 'look';

/** A request is reported as slow after this time. */
const slowAfterMs = 2_000;

/** The requests of this window that have been in flight for two seconds. */
export const serviceWaits = createStore<ReadonlyMap<string, Wait>>(new Map());

/** Stops waiting for all of them: each rejects with `STOPPED_WAITING`. Rejects if the host cannot be reached. */
export const stopWaiting = async (): Promise<void> => {
  await Promise.all([...serviceWaits.get().keys()].map((waitId) => call('service.stopWaiting', { waitId })));
};

const send = async <N extends RouteName>(route: N, input: InputOf<N>, wait: Wait): Promise<Performed<N>> => {
  const waitId = crypto.randomUUID();
  const note = (next: Wait | null): void => serviceWaits.set(withEntry(serviceWaits.get(), waitId, next));
  const timer = setTimeout(() => note(wait), slowAfterMs);
  try {
    const outcome = await call('service.perform', { route, input, waitId });
    return outcome.state === 'done'
      ? { state: 'done', answer: outcome.answer as AnswerOf<N> }
      : { state: 'pending', approvalId: outcome.approvalId };
  } finally {
    clearTimeout(timer);
    if (serviceWaits.get().has(waitId)) note(null);
  }
};

/** Sends a request of the person by any route of the interface. Rejects with `CallError` for a refusal. */
export const perform = <N extends RouteName>(route: N, input: InputOf<N>): Promise<Performed<N>> =>
  send(route, input, 'act');

/** Returns the answer of a route that never needs an approval. */
export const read = async <N extends RouteName>(route: N, input: InputOf<N>): Promise<AnswerOf<N>> => {
  const performed = await send(route, input, 'look');
  if (performed.state === 'done') return performed.answer;
  throw new CallError({ code: 'WAITING_FOR_YES', sentence: t('help.waits') });
};

/** Returns the nonce that the host put into the page for style tags created at run time; '' if there is none. */
export const styleNonce = (): string => {
  const meta = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]');
  return meta?.nonce || meta?.content || '';
};
