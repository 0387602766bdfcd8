import type { AnswerOf, InputOf, RouteName } from '../../../contract/index.ts';
import type { CallAnswer, CallReply, CallInput, CallName, CompanionWindow } from '../../../ipc/calls.ts';
import type { CallState } from '../../../ipc/call.ts';
import { completeRegistration, confirmCall, type CeremonyHost } from './ceremony.ts';
import { createStore, withMapEntry } from './createStore.ts';
import { t, translateMessage } from '../i18n.ts';

export type AppState = CallAnswer<'app.state'>;
export type ItemView = CallAnswer<'items.get'>;
export type ItemSummary = CallAnswer<'items.list'>['rows'][number];
export type PhotoView = ItemView['photos'][number];
/** An item on the contact sheet. */
export type SheetItem = Exclude<CallAnswer<'items.sheet'>['rows'][number], string>;
export type ContactSheetRow = NonNullable<CallAnswer<'items.sheetRow'>>;
export type ItemError = NonNullable<ItemView['stop']>;
export type NextStep = ItemError['next'][number];
export type IntakeResult = CallAnswer<'items.add'>;
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

type Problem = Extract<CallReply, { ok: false }>['problem'];

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

export const getErrorSentence = (error: unknown): string =>
  error instanceof CallError ? translateMessage(error.says, error.message) : t('app.noAnswer');

declare global {
  interface Window {
    companion?: CompanionWindow;
  }
}

export const getCompanionWindow = (): CompanionWindow => {
  if (window.companion) return window.companion;
  throw new CallError({ code: 'NO_HOST', sentence: 'This page runs only inside the companion.' });
};

const getCallAnswer = <N extends CallName>(_name: N, given: CallReply | string): CallAnswer<N> => {
  // Electron replies with JSON, because its bridge copies each value by itself, and a contact sheet has 30,000.
  const reply = typeof given === 'string' ? (JSON.parse(given) as CallReply) : given;
  if (!reply.ok) throw new CallError(reply.problem);
  // The host uses the same table of calls, so the value in its reply is not checked again.
  return reply.value as CallAnswer<N>;
};

/** These calls sometimes wait for the service, a system dialog, another program, or work on many photos. */
const slowCalls: ReadonlySet<CallName> = new Set<CallName>([
  ...(['app.open', 'app.update', 'app.diagnostics', 'offers.open', 'service.perform'] as const),
  ...(['approvals.approve', 'approvals.lower', 'approvals.takeBack', 'approvals.unlock'] as const),
  ...(['backups.make', 'backups.restore', 'batch.approve', 'batch.ask', 'batch.askFor', 'batch.takeBack'] as const),
  ...(['clients.connect', 'clients.disconnect', 'clients.list', 'clients.plan'] as const),
  ...(['connect.clipboard', 'connect.forget', 'connect.key', 'connect.practice'] as const),
  ...(['connect.start', 'connect.verify', 'history.export', 'history.search'] as const),
  ...(['items.add', 'items.addInto', 'items.addSamples', 'items.barcode', 'items.check'] as const),
  ...(['listingPhotos.replace', 'listingPhotos.send', 'listingPhotos.writeAgain'] as const),
  ...(['listingPhotos.cancel', 'listingPhotos.close', 'listingPhotos.restore', 'listingPhotos.retry'] as const),
  ...(['listings.again', 'listings.export', 'photos.avatar', 'photos.cleanUp', 'receipts.exportAll'] as const),
  ...(['shelf.labelPreview', 'shelf.labels', 'shelf.printLabels'] as const),
]);
/** The core answers all calls except `slowCalls` from its own data, so a later answer means an error. */
export const maxAnswerMs = 30_000;

const createLateAnswerError = (): CallError =>
  new CallError({ code: 'NO_ANSWER', sentence: t('app.lateAnswer', { seconds: maxAnswerMs / 1_000 }) });

const rejectWhenLate = <T>(answer: Promise<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(createLateAnswerError()), maxAnswerMs);
    answer.then(resolve, reject).finally(() => clearTimeout(timer));
  });

const callOnce = async <N extends CallName>(
  name: N,
  input: CallInput<N>,
  proofId?: string | null,
): Promise<CallAnswer<N>> => {
  const reply = getCompanionWindow().call(name, input, proofId ?? undefined);
  const answer = getCallAnswer(name, await (slowCalls.has(name) ? reply : rejectWhenLate(reply)));
  if (name === 'app.state') lastState = answer as AppState;
  return answer;
};

/** Null until the window has read the state. */
let lastState: AppState | null = null;

/**
 * Returns whether the call probably needs a proof. Then its ceremony begins at once, because a refused call adds a
 * ledger row that looks like an attack.
 */
const needsCeremony = async <N extends CallName>(name: N, input: CallInput<N>): Promise<boolean> => {
  if (lastState?.presence.isSetUp !== true) return false;
  const { settings, connection, presence } = lastState;
  // Loaded on demand, because most windows have no proof.
  const { calls, isProofNeeded } = await import('../../../ipc/calls.ts');
  const parsed = calls[name].input.safeParse(input);
  const { relaxedMinutes } = presence;
  const canReconnect = (): boolean => connection !== 'connected';
  // The window does not know what the assistant may do now.
  const widensAccess: CallState['widensAccess'] = (_assistantId, { paused, ...others }) =>
    paused !== true || Object.keys(others).length > 0;
  const state = { settings, relaxedMinutes, canReconnect, widensAccess };
  return parsed.success && isProofNeeded(name, parsed.data as never, state);
};

const hasErrorCode = (error: unknown, code: string): boolean => error instanceof CallError && error.code === code;

const createNotConfirmedError = (): CallError =>
  new CallError({ code: 'NOT_CONFIRMED', sentence: t('proof.notConfirmed') });

/** Returns whether the person cancelled the confirmation, so that nothing was done. */
export const isNotConfirmed = (error: unknown): boolean => hasErrorCode(error, 'NOT_CONFIRMED');

const ceremonyHost: CeremonyHost = {
  call: callOnce,
  onChanged: (listener) => getCompanionWindow().onChanged(listener),
};

/** Only the core knows whether a call needs a proof, so it might begin no ceremony. */
const confirmIfNeeded = <N extends CallName>(name: N, input: CallInput<N>) =>
  confirmCall(ceremonyHost, name, input).catch((error: unknown) => {
    if (hasErrorCode(error, 'NO_PROOF_NEEDED')) return { proofId: null };
    throw error;
  });

/**
 * Calls the core and returns its answer. If the call needs a proof of the person, shows a ceremony and repeats exactly
 * this call with the proof; without a proof, throws a `CallError` with `NOT_CONFIRMED`. If the core refuses the call,
 * throws a `CallError` with the core's code. If the answer takes too long, throws a `CallError` with `NO_ANSWER`.
 */
export const callCore = async <N extends CallName>(name: N, input: CallInput<N>): Promise<CallAnswer<N>> => {
  try {
    if (!(await needsCeremony(name, input))) return await callOnce(name, input);
  } catch (error) {
    if (!hasErrorCode(error, 'PROOF_NEEDED')) throw error;
  }
  const confirmation = await confirmIfNeeded(name, input);
  if (confirmation === null) throw createNotConfirmedError();
  return callOnce(name, input, confirmation.proofId);
};

/** Sets up a proof of the person. Throws a `CallError` with `NOT_CONFIRMED` if the person did not finish it. */
export const registerProof = async (input: CallInput<'proofs.register'>): Promise<void> => {
  const begun = await callCore('proofs.register', input);
  if (!(await completeRegistration(ceremonyHost, begun))) throw createNotConfirmedError();
};

/** Adds the base path of this window to a path. Other addresses, such as blobs, are returned unchanged. */
export const resolveCoreAddress = (path: string): string =>
  path.startsWith('/') ? getCompanionWindow().base + path : path;

export type RouteOutcome<N extends RouteName> =
  { state: 'done'; answer: AnswerOf<N> } | { state: 'pending'; approvalId: string };

/** `act` means that the person did something, and `look` means that a screen loads data. */
export type WaitKind = 'act' | 'look';

const slowAfterMs = 2_000;

/** The running requests that have already taken more than two seconds, by `waitId`. */
export const serviceWaits = createStore<ReadonlyMap<string, WaitKind>>(new Map());

/** Stops waiting for all slow requests. Each of them rejects with `STOPPED_WAITING`. */
export const stopServiceWaits = async (): Promise<void> => {
  await Promise.all([...serviceWaits.get().keys()].map((waitId) => callCore('service.stopWaiting', { waitId })));
};

const sendServiceRequest = async <N extends RouteName>(
  route: N,
  input: InputOf<N>,
  wait: WaitKind,
  more: Pick<CallInput<'service.perform'>, 'addedItemId'> = {},
): Promise<RouteOutcome<N>> => {
  const waitId = crypto.randomUUID();
  const setServiceWait = (next: WaitKind | null): void =>
    serviceWaits.set(withMapEntry(serviceWaits.get(), waitId, next));
  const timer = setTimeout(() => setServiceWait(wait), slowAfterMs);
  try {
    const outcome = await callCore('service.perform', { route, input, waitId, ...more });
    return outcome.state === 'done'
      ? { state: 'done', answer: outcome.answer as AnswerOf<N> }
      : { state: 'pending', approvalId: outcome.approvalId };
  } finally {
    clearTimeout(timer);
    if (serviceWaits.get().has(waitId)) setServiceWait(null);
  }
};

export const performRequest = <N extends RouteName>(route: N, input: InputOf<N>): Promise<RouteOutcome<N>> =>
  sendServiceRequest(route, input, 'act');

/** Adds the quantity of an item to a listing. The core removes the item after the request is done. */
export const requestAddedQuantity = (
  listingId: string,
  quantity: number,
  addedItemId: string,
): Promise<RouteOutcome<'reviseListing'>> =>
  sendServiceRequest('reviseListing', { params: { listingId }, body: { quantity } }, 'act', { addedItemId });

/** Must be used only with a route that never needs an approval. */
export const readServiceAnswer = async <N extends RouteName>(route: N, input: InputOf<N>): Promise<AnswerOf<N>> => {
  const performed = await sendServiceRequest(route, input, 'look');
  if (performed.state === 'done') return performed.answer;
  throw new CallError({ code: 'WAITING_FOR_YES', sentence: t('help.waits') });
};

/** Returns the nonce for style tags that are created at run time, or '' if the page has no nonce. */
export const getStyleNonce = (): string => {
  const meta = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]');
  return meta?.nonce || meta?.content || '';
};
