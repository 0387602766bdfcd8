import type { ApprovalView } from '../../src/core/approvals/approval.ts';
import type { AppState } from '../../src/core/appState.ts';
import type { PairingView } from '../../src/core/assistants/assistant.ts';
import type { ItemView } from '../../src/core/items/item.ts';
import type { ProblemView } from '../../src/core/problem.ts';
import type { CompanionWindow } from '../../src/ipc/calls.ts';
import {
  endApproval,
  fakeHistory,
  fakeItems,
  fakeListings,
  fakeState,
  publishApproval,
  reviseApproval,
} from './fakeData.ts';

/** What a test or a screenshot wants to see; set on the window before the fake is installed. */
export type Scenario = {
  state?: Partial<AppState>;
  items?: 'all' | 'none' | 'many';
  waiting?: ('publish' | 'revise' | 'end')[];
  history?: boolean;
  pairings?: boolean;
};

type Fake = {
  state: AppState;
  items: ItemView[];
  listings: Record<string, Record<string, unknown>>;
  approvals: ApprovalView[];
  history: ApprovalView[];
  assistants: { assistantId: string; name: string; pairedAt: number; lastUsedAt: number | null }[];
  pairings: PairingView[];
  /** Every call in order, for the tests. */
  asked: { name: string; input: unknown }[];
  /** What a yes leads to: by default the approval is done. */
  onApprove: ((approval: ApprovalView) => ApprovalView) | null;
  changed: (topic: string) => void;
  publish: typeof publishApproval;
};

declare global {
  interface Window {
    scenario?: Scenario;
    fake: Fake;
  }
}

class Refusal extends Error {
  readonly problem: ProblemView;
  constructor(problem: ProblemView) {
    super(problem.sentence);
    this.problem = problem;
  }
}

const refuse = (code: string, sentence: string, more: Partial<ProblemView> = {}): never => {
  throw new Refusal({ code, sentence, ...more });
};

const listeners = new Set<(topic: string) => void>();
const changed = (topic: string): void => listeners.forEach((listener) => listener(topic));
const scenario: Scenario = window.scenario ?? {};
const made = { publish: publishApproval, revise: reviseApproval, end: endApproval };

const many = (): ItemView[] =>
  Array.from({ length: 400 }, (_, at) => {
    const base = fakeItems()[at % 9] as ItemView;
    return { ...base, itemId: `${base.itemId}-${at}`, name: `${base.name} ${at}` };
  });

const day = 86_400_000;

const fake: Fake = {
  state: fakeState({ waitingApprovals: scenario.waiting?.length ?? 0, ...scenario.state }),
  items: scenario.items === 'none' ? [] : scenario.items === 'many' ? many() : fakeItems(),
  listings: fakeListings(),
  approvals: (scenario.waiting ?? []).map((name) => made[name]()),
  history: scenario.history === false ? [] : fakeHistory(),
  assistants: [
    { assistantId: 'ast_1', name: 'Garage helper', pairedAt: Date.now() - 9 * day, lastUsedAt: Date.now() - 180_000 },
    { assistantId: 'ast_2', name: 'Weekend bot', pairedAt: Date.now() - 40 * day, lastUsedAt: null },
  ],
  pairings: scenario.pairings
    ? [
        {
          pairingId: 'p1',
          name: 'Desk assistant',
          code: '482 913',
          askedAt: Date.now(),
          expiresAt: Date.now() + 280_000,
        },
      ]
    : [],
  asked: [],
  onApprove: null,
  changed,
  publish: publishApproval,
};
window.fake = fake;

const item = (itemId: string): ItemView =>
  fake.items.find((one) => one.itemId === itemId) ?? refuse('NOT_FOUND', 'This item is no longer here.');

const approval = (approvalId: string): ApprovalView =>
  [...fake.approvals, ...fake.history].find((one) => one.approvalId === approvalId) ??
  refuse('NOT_FOUND', 'This question is no longer here.');

const replace = (next: ApprovalView): ApprovalView => {
  fake.approvals = fake.approvals.map((one) => (one.approvalId === next.approvalId ? next : one));
  setTimeout(() => changed('approvals'), 20);
  return next;
};

const ask = (next: ApprovalView): unknown => {
  fake.approvals = [...fake.approvals, next];
  fake.state = { ...fake.state, waitingApprovals: fake.approvals.length };
  setTimeout(() => ['approvals', 'app'].forEach(changed), 20);
  return { state: 'pending', approvalId: next.approvalId, summary: next.prompt.act, expiresAt: next.expiresAt };
};

type Input = { params?: { listingId?: string }; body?: Record<string, unknown>; query?: { q?: string } };

const answers: Record<string, (input: Input) => unknown> = {
  readListing: ({ params }) => fake.listings[params?.listingId ?? ''] ?? fake.listings.lst_fox,
  updateListing: ({ params, body }) => {
    const id = params?.listingId ?? '';
    if (typeof body?.title === 'string' && body.title.includes('forbidden'))
      refuse('MARKET_REFUSED', 'The marketplace does not allow the word “forbidden”.', { field: 'title' });
    const next: Record<string, unknown> = { ...fake.listings[id], ...body };
    if (body?.packageWeightGrams) next.publishBlockers = [];
    fake.listings[id] = next;
    return next;
  },
  listCategoryConditions: () => ({
    conditions: [
      { condition: 'NEW', name: 'New' },
      { condition: 'LIKE_NEW', name: 'Like new' },
      { condition: 'USED_GOOD', name: 'Used – good' },
    ],
  }),
  searchCategories: ({ query }) => ({
    categories: [
      { categoryId: '1', categoryName: `Collectables > ${query?.q ?? ''}` },
      { categoryId: '2', categoryName: 'Home > Decoration > Figurines' },
    ],
  }),
};

const perform = ({ route, input }: { route: string; input: Input }): unknown => {
  const own = { by: { kind: 'person' as const }, reason: null };
  if (route === 'publishListing') {
    const blockers = fake.listings[input.params?.listingId ?? '']?.publishBlockers;
    if (Array.isArray(blockers) && blockers.length > 0)
      refuse('MISSING_PACKAGE_WEIGHT', 'The postage needs the packed weight. Enter it, then publish again.');
    return ask(publishApproval({ ...own, approvalId: 'apr_own' }));
  }
  if (route === 'endListing' || route === 'deleteListing') return ask(endApproval({ ...own, approvalId: 'apr_end' }));
  const answer = answers[route] ?? (() => ({}));
  return { state: 'done', status: 200, headers: {}, answer: answer(input) };
};

const done = (one: ApprovalView): ApprovalView => ({
  ...one,
  state: 'done',
  decidedAt: Date.now(),
  outcome: { sentence: 'It is live.', code: null, url: 'https://market.example/listing/12' },
});

const handlers: Record<string, (input: never) => unknown> = {
  'app.state': () => fake.state,
  'app.settings': (input: Partial<AppState['settings']>) =>
    (fake.state = { ...fake.state, settings: { ...fake.state.settings, ...input } }),
  'app.open': () => null,
  'connect.practice': () => (fake.state = { ...fake.state, connection: 'connected' }),
  'connect.start': ({ email }: { email: string }) =>
    email.startsWith('busy')
      ? refuse('TOO_MANY', 'Too many codes were sent to this address.', { retryAfterS: 90 })
      : {
          challengeId: `ch_${Date.now()}`,
          termsUrl: 'https://service.example/terms',
          privacyUrl: 'https://service.example/privacy',
        },
  'connect.verify': ({ code }: { code: string }) =>
    code === '123456'
      ? (fake.state = { ...fake.state, connection: 'connected' })
      : refuse('INVALID_CODE', 'That code is not right, or it was used before. Look at the newest e-mail.'),
  'connect.forget': () => (fake.state = { ...fake.state, connection: 'none', person: null }),
  'items.list': () => fake.items,
  'items.get': ({ itemId }: { itemId: string }) => item(itemId),
  'items.add': () => ({ itemIds: [], skipped: 1, sentence: '1 item added, 1 file passed over.' }),
  'items.addSamples': () => {
    fake.items = fakeItems();
    changed('items');
    return { itemIds: ['fox'], skipped: 0, sentence: '9 items added.' };
  },
  'items.note': ({ itemId, note }: { itemId: string; note: string }) => Object.assign(item(itemId), { note }),
  'items.cancel': ({ itemId }: { itemId: string }) =>
    Object.assign(item(itemId), {
      words: 'You cancelled this',
      stop: { kind: 'cancelled', code: 'CANCELLED', sentence: 'You stopped this.', next: ['resume', 'remove'] },
    }),
  'items.resume': ({ itemId }: { itemId: string }) => Object.assign(item(itemId), { stop: null, words: 'Going on' }),
  'items.remove': ({ itemId }: { itemId: string }) => {
    fake.items = fake.items.filter((one) => one.itemId !== itemId);
    return null;
  },
  'service.perform': perform,
  'approvals.list': () => fake.approvals,
  'approvals.history': () => fake.history,
  'approvals.get': ({ approvalId }: { approvalId: string }) => approval(approvalId),
  'approvals.approve': ({ approvalId }: { approvalId: string }) =>
    replace((fake.onApprove ?? done)(approval(approvalId))),
  'approvals.decline': ({ approvalId }: { approvalId: string }) =>
    replace({
      ...approval(approvalId),
      state: 'declined',
      decidedAt: Date.now(),
      outcome: { sentence: 'Nothing was sent.', code: null, url: null },
    }),
  'assistants.list': () => ({ assistants: fake.assistants, pairings: fake.pairings }),
  'assistants.accept': () => null,
  'assistants.refuse': () => null,
  'assistants.revoke': () => null,
};

const companion: CompanionWindow = {
  host: 'browser',
  call: async (name, input) => {
    fake.asked.push({ name, input });
    await new Promise((resolve) => setTimeout(resolve, 5));
    try {
      // Copied on the way, as a real host does.
      return { ok: true, value: structuredClone(handlers[name]?.(input as never)) };
    } catch (error) {
      if (error instanceof Refusal) return { ok: false, problem: error.problem };
      throw error;
    }
  },
  onChanged: (listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};
window.companion = companion;
