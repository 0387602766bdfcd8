import type { ExportView } from '../../../src/core/companion/dataTasks/fileExports.ts';
import * as z from 'zod';
import { createMessage } from '../../../src/i18n/message.ts';
import type { ApprovalView } from '../../../src/core/storage/tables/approvalRecord.ts';
import type { AppState } from '../../../src/core/companion/appState.ts';
import type { Standing } from '../../../src/contract/index.ts';
import type { AddedItems } from '../../../src/core/items/addPhotos.ts';
import type { ItemView } from '../../../src/core/storage/tables/itemRecord.ts';
import type { CallAnswer, CallName, ParsedCallInput, CompanionWindow, CallReply } from '../../../src/ipc/calls.ts';
import { createCallServer } from '../../../src/ipc/serveCalls.ts';
import type { ShellState } from '../../../src/ipc/shell.ts';
import type { StartView } from '../../../src/ipc/startCalls.ts';
import { fakeAssistants, fakeStanding } from './fakeAccount.ts';
import { makeAssistantBatch, makeBatch, makeMixedBatch } from './fakeBatch.ts';
import { copyItem, createGuessedItems, createReadyItems, createSheetItems } from './fakeReadyItems.ts';
import { approvalKinds, fakeHistory, publishApproval, refusedApproval } from './fakeApprovals.ts';
import { fakeItems, fakeListings, fakeState } from './fakeData.ts';
import { createCoreAnswers } from './askCore.ts';
import { createAppCalls } from './calls/fakeAppCalls.ts';
import { createAssistantCalls, fakeActivity, fakeOffer, fakePairing } from './calls/fakeAssistantCalls.ts';
import { createFakeProofs, createProofCalls, proofScenarios } from './calls/fakeProofCalls.ts';
import { createClientCalls, fakeClients } from './calls/fakeClientCalls.ts';
import { createItemCalls } from './calls/fakeItemCalls.ts';
import { fakeRecord } from './fakeRecord.ts';
import { createBatchCalls } from './calls/fakeBatchCalls.ts';
import { createApprovalCalls } from './calls/fakeApprovalCalls.ts';
import { createRows, createListingCalls } from './calls/fakeListingCalls.ts';
import { fakeNotices, createNewsCalls } from './calls/fakeNewsCalls.ts';
import { createServicePerform } from './fakeService.ts';
import { Problem, toProblemView } from '../../../src/core/base/problem.ts';

/** What a test or a screenshot shows; set on the window before the fake is installed. */
export type Scenario = {
  state?: Partial<AppState>;
  language?: AppState['settings']['language'];
  /** The result of adding photos. */
  added?: AddedItems;
  /** The number of items if `items` is `many`. */
  many?: number;
  /** Questions about repeated photos that were not answered before the window opened. */
  repeats?: { repeatId: string; count: number }[];
  items?: 'all' | 'none' | 'many' | 'ready' | 'ready6' | 'ready200' | 'guessed' | 'sheet' | 'sheet60' | 'sheet200';
  /** Some rows of the person's batches are weak. */
  weak?: boolean;
  /** The code with which a publish of the fox was refused. */
  refused?: string;
  /** Live listings are also live on the second channel, or sold there. */
  onCorner?: boolean | 'sold';
  /** The first row of the history that does not follow from the previous row. */
  brokenAt?: number;
  /** The exports that run when the window opens. */
  exports?: ExportView[];
  standing?: Partial<Standing>;
  waiting?: (keyof typeof approvalKinds)[];
  /** Pending batches, in their order. */
  batches?: (keyof typeof madeBatches)[];
  history?: boolean;
  pairings?: boolean;
  /** No assistant is paired. */
  noAssistants?: boolean;
  /** A backup was restored, and the person has not confirmed the assistants since. */
  restored?: boolean;
  noSales?: boolean;
  /** The person has already had a trial of a plan. */
  tried?: boolean;
  noNotices?: boolean;
  /** No known client is installed. */
  noClients?: boolean;
  /** The person has not seen the tour. */
  tour?: boolean;
  selling?: {
    /** Nothing is connected or set up. */
    bare?: boolean;
    /** Routes that are refused once before they are answered. */
    refused?: string[];
  };
  /** The number of listings. */
  listings?: number;
  offers?: boolean;
  /** What the person has set up to prove that it is them. */
  proof?: keyof typeof proofScenarios;
  /** The state of the desktop shell; undefined in a browser. */
  shell?: ShellState;
  /** What a long start does; undefined if the companion runs. */
  start?: StartView;
};

export type Fake = typeof fake;

declare global {
  interface Window {
    scenario?: Scenario;
    fake: Fake;
  }
}

const listeners = new Set<(topic: string) => void>();
const changed = (topic: string): void => listeners.forEach((listener) => listener(topic));
const scenario: Scenario = window.scenario ?? {};
const madeBatches = {
  assistant: () => makeAssistantBatch(12),
  assistantEnds: () => makeAssistantBatch(3, 'endListing', 'bat_a2'),
  mixed: makeMixedBatch,
  long: () => makeAssistantBatch(120, 'endListing', 'bat_l1'),
  blocked: () => makeBatch(createReadyItems(46), { batchId: 'bat_b1' }),
};

const none = <T>(): T[] => [];

const many = (): ItemView[] =>
  Array.from({ length: scenario.many ?? 400 }, () => fakeItems()).flatMap((items, at) => {
    const base = items[at % 9];
    return base ? { ...base, ...copyItem(base, at), name: `${base.name} ${at}` } : [];
  });

const itemsOf: Record<NonNullable<Scenario['items']>, () => ItemView[]> = {
  all: fakeItems,
  none: () => [],
  many,
  guessed: createGuessedItems,
  sheet: () => createSheetItems(12),
  sheet60: () => createSheetItems(60),
  sheet200: () => createSheetItems(200),
  ready: () => createReadyItems(20),
  ready6: () => createReadyItems(6),
  ready200: () => createReadyItems(200),
};

const createHistory = ({ history, refused }: Scenario): ApprovalView[] => [
  ...(refused ? [refusedApproval(refused)] : []),
  ...(history === false ? [] : fakeHistory()),
];

const createState = ({ waiting, language = 'en', tour = false, state }: Scenario): AppState => {
  const made = fakeState({ waitingApprovals: waiting?.length ?? 0, ...state });
  return { ...made, settings: { ...made.settings, language, tourSeen: !tour } };
};

const fake = {
  state: createState(scenario),
  start: scenario.start ?? null,
  shell: scenario.shell ?? { startAtLogin: null, addFromFileManager: null, update: null },
  items: itemsOf[scenario.items ?? 'all'](),
  listings: fakeListings(),
  weak: scenario.weak ?? false,
  /** Finishes the generation of a listing. */
  endWriting: (): void => undefined,
  rows: createRows(scenario.listings ?? 60),
  approvals: (scenario.waiting ?? []).map((name) => approvalKinds[name]()),
  history: createHistory(scenario),
  assistants: scenario.noAssistants ? [] : fakeAssistants(scenario.restored),
  activity: scenario.noAssistants ? [] : fakeActivity(),
  offers: scenario.offers ? [fakeOffer] : [],
  notices: scenario.noNotices ? [] : fakeNotices(),
  clients: scenario.noClients ? [] : fakeClients(),
  /** The client's settings change between the displayed plan and its approval. */
  settingsChanged: false,
  proofs: createFakeProofs(
    proofScenarios[scenario.proof ?? 'none'],
    (): AppState['settings'] => fake.state.settings,
    (): void => fake.changed('ceremonies'),
  ),
  pairings: scenario.pairings ? [fakePairing()] : [],
  batches: (scenario.batches ?? []).map((name) => madeBatches[name]()),
  /** The length of the undo window; 0 sends at once. */
  holdMs: 0,
  /** Listings that accept no writes at the moment. */
  deciding: none<string>(),
  /** The time in which each row of a batch is sent. */
  beatMs: 120,
  record: scenario.history === false ? [] : fakeRecord(),
  brokenAt: scenario.brokenAt ?? null,
  exports: scenario.exports ?? [],
  standing: fakeStanding(scenario.standing),
  person: {
    plan: String(scenario.standing?.plan?.code ?? 'starter'),
    trialEligible: scenario.tried !== true,
    isSetUp: scenario.selling?.bare !== true,
    hasSales: scenario.noSales !== true,
    onCorner: scenario.onCorner ?? false,
  },
  refusedOnce: new Set(scenario.selling?.refused),
  /** Every call in order, for the tests. */
  asked: none<{ name: string; input: unknown }>(),
  /** The names of the answered calls in order, for the tests. */
  answered: none<string>(),
  /** The result of an approval; by default it is done. */
  onApprove: null as ((approval: ApprovalView) => ApprovalView) | null,
  /** The effect of an approved request, by its approval. */
  effects: new Map<string, () => Promise<void>>(),
  changed,
  publish: publishApproval,
  /** Routes that the service answers only after `answer` is called. */
  slow: none<string>(),
  answer: (): void => undefined,
};
window.fake = fake;

/** Delayed requests, by their ids. */
const waits = new Map<string, AbortController>();
const stopped: CallReply = {
  ok: false,
  problem: {
    code: 'STOPPED_WAITING',
    sentence: 'You stopped waiting.',
    says: createMessage('problems.STOPPED_WAITING'),
  },
};

const waitForAnswer = (cancelled?: AbortSignal): Promise<void> =>
  new Promise<void>((resolve) => {
    const before = fake.answer;
    fake.answer = () => (before(), resolve());
    cancelled?.addEventListener('abort', () => resolve());
  });

/** Waits until the service answers a slow request; true if the person cancelled before. */
const waitIfSlow = async (name: string, input: unknown): Promise<boolean> => {
  const asked = performed.safeParse(input);
  if (fake.slow.includes(name)) await waitForAnswer();
  if (name !== 'service.perform' || !asked.success || !fake.slow.includes(asked.data.route)) return false;
  const wait = new AbortController();
  waits.set(asked.data.waitId, wait);
  await waitForAnswer(wait.signal);
  return wait.signal.aborted;
};
const performed = z.object({ route: z.string(), waitId: z.string() });

/** A missing call does not compile. */
export type Answers = { [N in CallName]: (input: ParsedCallInput<N>) => CallAnswer<N> | Promise<CallAnswer<N>> };

const handlers: Answers = {
  ...createAppCalls(fake),
  ...createCoreAnswers(fake),
  ...createItemCalls(fake),
  ...createListingCalls(fake),
  'service.perform': createServicePerform(fake),
  'service.stopWaiting': ({ waitId }) => {
    waits.get(waitId)?.abort();
    return null;
  },
  ...createApprovalCalls(fake),
  ...createBatchCalls(fake),
  ...createAssistantCalls(fake),
  ...createClientCalls(fake),
  ...createNewsCalls(fake),
  ...createProofCalls(fake),
};

/** Parses inputs with the table of calls and its defaults, like every host. */
const serve = createCallServer({
  handlers,
  requireProof: fake.proofs.requireProof,
  problemView: (error) => {
    if (error instanceof Problem) return toProblemView(error);
    throw error;
  },
});

const companion: CompanionWindow = {
  host: scenario.shell ? 'electron' : 'browser',
  base: '',
  call: async (name, input, proofId) => {
    fake.asked.push({ name, input });
    await new Promise((resolve) => setTimeout(resolve, 5));
    if (await waitIfSlow(name, input)) return stopped;
    // Copied, as on the way through a real host.
    const reply = await serve(name, input, { proofId });
    fake.answered.push(name);
    // A page that was cleared in the meantime shows another app.
    return window.fake === fake ? structuredClone(reply) : new Promise<never>(() => undefined);
  },
  onChanged: (listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};
window.companion = companion;
