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
import { fakeAssistants, fakeStanding } from './fakeAccount.ts';
import { assistantBatch, makeBatch, mixedBatch } from './fakeBatch.ts';
import { copiedAs, guessedItems, readyItems, sheetItems } from './fakeReadyItems.ts';
import { approvalKinds, fakeHistory, publishApproval, refusedApproval } from './fakeApprovals.ts';
import { fakeItems, fakeListings, fakeState } from './fakeData.ts';
import { coreCalls } from './askCore.ts';
import { appCalls } from './calls/fakeAppCalls.ts';
import { assistantCalls, fakeActivity, fakeOffer, fakePairing } from './calls/fakeAssistantCalls.ts';
import { clientCalls, fakeClients } from './calls/fakeClientCalls.ts';
import { itemCalls } from './calls/fakeItemCalls.ts';
import { fakeRecord } from './fakeRecord.ts';
import { batchCalls } from './calls/fakeBatchCalls.ts';
import { approvalCalls } from './calls/fakeApprovalCalls.ts';
import { fakeRows, listingCalls } from './calls/fakeListingCalls.ts';
import { fakeNotices, newsCalls } from './calls/fakeNewsCalls.ts';
import type { SellingScenario } from './calls/fakeSellingCalls.ts';
import { servicePerform } from './fakeService.ts';
import { Problem, toProblemView } from '../../../src/core/base/problem.ts';

/** What a test or a screenshot wants to see; set on the window before the fake is installed. */
export type Scenario = {
  state?: Partial<AppState>;
  language?: AppState['settings']['language'];
  /** What comes of adding photos. */
  added?: AddedItems;
  /** How many there are of `many` items. */
  many?: number;
  items?: 'all' | 'none' | 'many' | 'ready' | 'ready6' | 'ready200' | 'guessed' | 'sheet' | 'sheet60';
  /** The publish of the fox was refused before, with this code. */
  refused?: string;
  /** Live listings are live on the other channel too, or the piece that was there is sold. */
  onCorner?: boolean | 'sold';
  /** The first row of the record that does not follow from the one before it. */
  brokenAt?: number;
  standing?: Partial<Standing>;
  waiting?: (keyof typeof approvalKinds)[];
  /** Batches that wait, first come first served. */
  batches?: (keyof typeof madeBatches)[];
  history?: boolean;
  pairings?: boolean;
  /** Nobody was let in yet. */
  noAssistants?: boolean;
  /** A copy was restored, and the person has not looked at the assistants since. */
  restored?: boolean;
  noSales?: boolean;
  /** The person had the trial of a plan before. */
  tried?: boolean;
  noNotices?: boolean;
  /** No known client is installed here. */
  noClients?: boolean;
  /** The tour was not seen yet. */
  tour?: boolean;
  selling?: SellingScenario;
  /** How many listings there are. */
  listings?: number;
  offers?: boolean;
  /** As the desktop app has it; a browser without. */
  shell?: ShellState;
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
  assistant: () => assistantBatch(12),
  assistantEnds: () => assistantBatch(3, 'endListing', 'bat_a2'),
  mixed: mixedBatch,
  blocked: () => makeBatch(readyItems(46), { batchId: 'bat_b1' }),
};

const none = <T>(): T[] => [];

const many = (): ItemView[] =>
  Array.from({ length: scenario.many ?? 400 }, () => fakeItems()).flatMap((items, at) => {
    const base = items[at % 9];
    return base ? { ...base, ...copiedAs(base, at), name: `${base.name} ${at}` } : [];
  });

const itemsOf: Record<NonNullable<Scenario['items']>, () => ItemView[]> = {
  all: fakeItems,
  none: () => [],
  many,
  guessed: guessedItems,
  sheet: () => sheetItems(12),
  sheet60: () => sheetItems(60),
  ready: () => readyItems(20),
  ready6: () => readyItems(6),
  ready200: () => readyItems(200),
};

const historyOf = ({ history, refused }: Scenario): ApprovalView[] => [
  ...(refused ? [refusedApproval(refused)] : []),
  ...(history === false ? [] : fakeHistory()),
];

const stateOf = ({ waiting, language = 'en', tour = false, state }: Scenario): AppState => {
  const made = fakeState({ waitingApprovals: waiting?.length ?? 0, ...state });
  return { ...made, settings: { ...made.settings, language, tourSeen: !tour } };
};

const fake = {
  state: stateOf(scenario),
  shell: scenario.shell ?? { startAtLogin: null, addFromFileManager: null, update: null },
  items: itemsOf[scenario.items ?? 'all'](),
  listings: fakeListings(),
  /** Ends the new writing of a listing. */
  endWriting: (): void => undefined,
  rows: fakeRows(scenario.listings ?? 60),
  approvals: (scenario.waiting ?? []).map((name) => approvalKinds[name]()),
  history: historyOf(scenario),
  assistants: scenario.noAssistants ? [] : fakeAssistants(scenario.restored),
  activity: scenario.noAssistants ? [] : fakeActivity(),
  offers: scenario.offers ? [fakeOffer] : [],
  notices: scenario.noNotices ? [] : fakeNotices(),
  clients: scenario.noClients ? [] : fakeClients(),
  /** The settings of a client changed between the plan and the yes. */
  settingsChanged: false,
  pairings: scenario.pairings ? [fakePairing()] : [],
  batches: (scenario.batches ?? []).map((name) => madeBatches[name]()),
  /** The length of the undo window; 0 sends at once. */
  holdMs: 0,
  /** Listings that take no write now. */
  deciding: none<string>(),
  /** How long each row of a batch takes to be sent. */
  beatMs: 120,
  record: scenario.history === false ? [] : fakeRecord(),
  brokenAt: scenario.brokenAt ?? null,
  standing: fakeStanding(scenario.standing),
  /** Every call in order, for the tests. */
  asked: none<{ name: string; input: unknown }>(),
  /** What a yes leads to: by default the approval is done. */
  onApprove: null as ((approval: ApprovalView) => ApprovalView) | null,
  /** What an approved request changes, by its approval. */
  effects: new Map<string, () => void>(),
  changed,
  publish: publishApproval,
  /** Routes that the service does not answer before `answer` is called, and what waits for it. */
  slow: none<string>(),
  answer: (): void => undefined,
};
window.fake = fake;

/** Requests that the service keeps waiting, by their ids. */
const waits = new Map<string, AbortController>();
const stopped: CallReply = {
  ok: false,
  problem: {
    code: 'STOPPED_WAITING',
    sentence: 'You stopped waiting.',
    says: createMessage('problems.STOPPED_WAITING'),
  },
};

/** Settles when the service answers a slow request; true when the person stopped waiting before. */
const keptWaiting = async (name: string, input: unknown): Promise<boolean> => {
  const asked = performed.safeParse(input);
  if (name !== 'service.perform' || !asked.success || !fake.slow.includes(asked.data.route)) return false;
  const wait = new AbortController();
  waits.set(asked.data.waitId, wait);
  await new Promise<void>((resolve) => {
    const before = fake.answer;
    fake.answer = () => (before(), resolve());
    wait.signal.addEventListener('abort', () => resolve());
  });
  return wait.signal.aborted;
};
const performed = z.object({ route: z.string(), waitId: z.string() });

/** The typed table: a missing call does not compile. */
export type Answers = { [N in CallName]: (input: ParsedCallInput<N>) => CallAnswer<N> | Promise<CallAnswer<N>> };

const handlers: Answers = {
  ...appCalls(fake),
  ...coreCalls(fake),
  ...itemCalls(fake),
  ...listingCalls(fake),
  'service.perform': servicePerform(fake),
  'service.stopWaiting': ({ waitId }) => {
    waits.get(waitId)?.abort();
    return null;
  },
  ...approvalCalls(fake),
  ...batchCalls(fake),
  ...assistantCalls(fake),
  ...clientCalls(fake),
  ...newsCalls(fake),
};

/** As every host does it: inputs are parsed by the table, with its defaults. */
const serve = createCallServer(handlers, (error) => {
  if (error instanceof Problem) return toProblemView(error);
  throw error;
});

const companion: CompanionWindow = {
  host: scenario.shell ? 'electron' : 'browser',
  base: '',
  call: async (name, input) => {
    fake.asked.push({ name, input });
    await new Promise((resolve) => setTimeout(resolve, 5));
    if (await keptWaiting(name, input)) return stopped;
    // Copied on the way, as a real host does.
    const reply = await serve(name, input);
    // A page that was cleared in the meantime shows another app now.
    return window.fake === fake ? structuredClone(reply) : new Promise<never>(() => undefined);
  },
  onChanged: (listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};
window.companion = companion;
