import * as z from 'zod';
import { createMessage } from '../../../src/i18n/message.ts';
import type { ApprovalView } from '../../../src/core/storage/tables/approvalRecord.ts';
import type { AppState } from '../../../src/core/companion/appState.ts';
import type { BatchView } from '../../../src/core/approvals/batches.ts';
import type { ActivityRow } from '../../../src/core/assistants/activity.ts';
import type { AssistantView, OfferView, PairingView } from '../../../src/core/assistants/assistant.ts';
import type { Standing } from '../../../src/contract/index.ts';
import type { AddedItems } from '../../../src/core/items/addPhotos.ts';
import type { ItemView } from '../../../src/core/storage/tables/itemRecord.ts';
import type { NotificationView } from '../../../src/core/notifications/noticeBoard.ts';
import type { ListingRow } from '../../../src/core/storage/tables/listingSearch.ts';
import type { CallAnswer, CallName, CallParsed, CompanionWindow, CallReply } from '../../../src/ipc/calls.ts';
import { createCallServer } from '../../../src/ipc/serveCalls.ts';
import type { ClientView } from '../../../src/ipc/clients.ts';
import type { ShellState } from '../../../src/ipc/shell.ts';
import { extrasApproval, fakeAssistants, fakeStanding } from './fakeAccount.ts';
import { assistantBatch, makeBatch, mixedBatch } from './fakeBatch.ts';
import { guessedItems, readyItems, sheetItems } from './fakeReadyItems.ts';
import {
  differingApproval,
  endApproval,
  fakeHistory,
  heldApproval,
  maskedApproval,
  publishApproval,
  refusedApproval,
  reviseApproval,
  unknownApproval,
  contradictedApproval,
  strangeHostApproval,
  policiesApproval,
  templateApproval,
} from './fakeApprovals.ts';
import { fakeItems, fakeListings, fakeState } from './fakeData.ts';
import { appCalls } from './calls/fakeAppCalls.ts';
import { assistantCalls, fakeActivity, fakeOffer } from './calls/fakeAssistantCalls.ts';
import { clientCalls, fakeClients } from './calls/fakeClientCalls.ts';
import { itemCalls } from './calls/fakeItemCalls.ts';
import { itemListCalls } from './fakeItemList.ts';
import { fakeRecord } from './fakeRecord.ts';
import { batchCalls } from './calls/fakeBatchCalls.ts';
import { approvalCalls } from './calls/fakeApprovalCalls.ts';
import { fakeRows, listingCalls } from './calls/fakeListingCalls.ts';
import { photoCalls } from './calls/fakePhotoCalls.ts';
import { fakeNotices, newsCalls } from './calls/fakeNewsCalls.ts';
import type { SellingScenario } from './calls/fakeSellingCalls.ts';
import { servicePerform } from './fakeService.ts';
import { Refusal } from './fakeRefusal.ts';
import type { HistoryRow } from '../../../src/core/approvals/ledger/history.ts';

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
  waiting?: (keyof typeof made)[];
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

export type Fake = {
  state: AppState;
  shell: ShellState;
  items: ItemView[];
  listings: Record<string, Record<string, unknown>>;
  /** Brings a listing that is being written anew back. */
  endWriting?: () => void;
  rows: ListingRow[];
  /** What was changed of many at once, the last one last. */
  bulkEdits: CallParsed<'listings.keepBulkEdit'>[];
  approvals: ApprovalView[];
  history: ApprovalView[];
  assistants: AssistantView[];
  pairings: PairingView[];
  activity: ActivityRow[];
  offers: OfferView[];
  notices: NotificationView[];
  clients: ClientView[];
  /** A client's own settings are another ones at the yes than when they were looked at. */
  settingsChanged: boolean;
  batches: BatchView[];
  /** How long the yes to what is for good is held back; 0 sends it at once. */
  holdMs: number;
  /** Listings that take no write just now. */
  deciding: string[];
  /** How long each row of a batch takes to be sent. */
  beatMs: number;
  record: HistoryRow[];
  brokenAt: number | null;
  standing: Standing;
  /** Every call in order, for the tests. */
  asked: { name: string; input: unknown }[];
  /** What a yes leads to: by default the approval is done. */
  onApprove: ((approval: ApprovalView) => ApprovalView) | null;
  changed: (topic: string) => void;
  publish: typeof publishApproval;
  /** Routes that the service does not answer before `answer` is called, and what waits for it. */
  slow: string[];
  answer: () => void;
};

declare global {
  interface Window {
    scenario?: Scenario;
    fake: Fake;
  }
}

const listeners = new Set<(topic: string) => void>();
const changed = (topic: string): void => listeners.forEach((listener) => listener(topic));
const scenario: Scenario = window.scenario ?? {};
const made = {
  publish: publishApproval,
  revise: reviseApproval,
  end: endApproval,
  extras: extrasApproval,
  masked: maskedApproval,
  held: heldApproval,
  differing: differingApproval,
  unknown: unknownApproval,
  contradicted: contradictedApproval,
  strangeHost: strangeHostApproval,
  policies: policiesApproval,
  template: templateApproval,
};
const madeBatches = {
  assistant: () => assistantBatch(12),
  assistantEnds: () => assistantBatch(3, 'endListing', 'bat_a2'),
  mixed: mixedBatch,
  blocked: () => makeBatch(readyItems(46), { batchId: 'bat_b1' }),
};

const many = (): ItemView[] =>
  Array.from({ length: scenario.many ?? 400 }, () => fakeItems()).flatMap((items, at) => {
    const base = items[at % 9];
    return base ? { ...base, itemId: `${base.itemId}-${at}`, name: `${base.name} ${at}` } : [];
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

const fake: Fake = {
  state: stateOf(scenario),
  shell: scenario.shell ?? { startAtLogin: null, addFromFileManager: null, update: null },
  items: itemsOf[scenario.items ?? 'all'](),
  listings: fakeListings(),
  rows: fakeRows(scenario.listings ?? 60),
  bulkEdits: [],
  approvals: (scenario.waiting ?? []).map((name) => made[name]()),
  history: historyOf(scenario),
  assistants: scenario.noAssistants ? [] : fakeAssistants(scenario.restored),
  activity: scenario.noAssistants ? [] : fakeActivity(),
  offers: scenario.offers ? [fakeOffer] : [],
  notices: scenario.noNotices ? [] : fakeNotices(),
  clients: scenario.noClients ? [] : fakeClients(),
  settingsChanged: false,
  pairings: scenario.pairings
    ? [
        {
          pairingId: 'p1',
          name: 'Desk assistant',
          code: '482 913',
          nameLike: { kind: 'assistant', name: 'Desk assistаnt' },
          askedAt: Date.now(),
          expiresAt: Date.now() + 280_000,
        },
      ]
    : [],
  batches: (scenario.batches ?? []).map((name) => madeBatches[name]()),
  holdMs: 0,
  deciding: [],
  beatMs: 120,
  record: scenario.history === false ? [] : fakeRecord(),
  brokenAt: scenario.brokenAt ?? null,
  standing: fakeStanding(scenario.standing),
  asked: [],
  onApprove: null,
  changed,
  publish: publishApproval,
  slow: [],
  answer: () => undefined,
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

/** The typed table, answered at once: a missing call does not compile. */
export type Answers = { [N in CallName]: (input: CallParsed<N>) => CallAnswer<N> };

const handlers: Answers = {
  ...appCalls(fake),
  ...itemCalls(fake),
  ...itemListCalls(fake),
  ...photoCalls(fake),
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
  if (error instanceof Refusal) return error.problem;
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
    return structuredClone(await serve(name, input));
  },
  onChanged: (listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};
window.companion = companion;
