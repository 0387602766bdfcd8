import type { ApprovalView } from '../../src/core/approvals/approval.ts';
import type { BatchRow, BatchView } from '../../src/core/approvals/batch.ts';
import type { ItemView } from '../../src/core/items/item.ts';
import { fakeItems, publishApproval } from './fakeData.ts';

/** Items that are ready to be published together: some free, some in euros, every tenth without a weight. */
export const readyItems = (count: number): ItemView[] =>
  Array.from({ length: count }, (_, at) => {
    const base = fakeItems()[0] as ItemView;
    const title = `${['Red fox figurine', 'Film camera', 'Paperback novel', 'Running shoes'][at % 4]} no. ${at + 1}`;
    return { ...base, itemId: `ready-${at}`, listingId: `lst_ready-${at}`, name: `folder ${at + 1}`, title };
  });

/** What the fake's guessed items have to say, each about something else. */
const guessedMore: Readonly<Record<string, (item: ItemView) => Partial<ItemView>>> = {
  fox: ({ photos }) => ({
    overCap: 1,
    photos: photos.map((photo, at) => {
      const sentence = 'This photo looks blurred. A sharp one sells better.';
      if (at === 1) return { ...photo, warnings: [{ code: 'blurred' as const, sentence }] };
      return at === 4 ? { ...photo, aside: 'over_cap' as const } : photo;
    }),
  }),
  camera: ({ photos }) => ({
    photos: photos.map((photo, at) =>
      at === 2
        ? { ...photo, state: 'aside', aside: 'duplicate', duplicateOf: 'camera-0', sentence: 'A copy of another.' }
        : photo,
    ),
  }),
  book: () => ({
    barcodes: [{ value: '9780306406157', format: 'EAN-13', photoId: 'book-1', state: 'offered' }],
  }),
};

/** Items that were put together by a guess and wait for a look. */
export const guessedItems = (): ItemView[] =>
  Object.entries(guessedMore).flatMap(([name, more]) => {
    const base = fakeItems().find(({ itemId }) => itemId === name);
    if (!base) return [];
    const guess = { ...base, step: 'arranging' as const, words: 'Ready to be looked at', title: null, listingId: null };
    return { ...guess, progress: null, guessed: true, arrangeable: true, ...more(base) };
  });

const photos = ['fox', 'camera', 'book', 'shoes'];

const moneyOf = (at: number): ApprovalView['prompt']['money'] => {
  const quotedAt = Date.now() - 20_000;
  if (at % 5 === 3) return { state: 'free', currency: 'EUR', totalMinor: 0, lines: [], reason: null, quotedAt };
  const currency = at % 5 === 2 ? 'EUR' : 'USD';
  return {
    state: 'fee',
    currency,
    totalMinor: 35,
    lines: [{ name: 'Insertion fee', amountMinor: 35 }],
    reason: null,
    quotedAt,
  };
};

const approvalOf = (item: ItemView, at: number): ApprovalView => {
  const money = moneyOf(at);
  const site = money?.currency === 'EUR' ? 'MKT_DE' : 'MKT_US';
  const base = publishApproval({ by: { kind: 'person' }, reason: null });
  return {
    ...base,
    approvalId: `apr_b${at}`,
    digest: `digest-b${at}`,
    askedAt: Date.now(),
    prompt: {
      ...base.prompt,
      act: `Publish on ${site}`,
      target: {
        listingId: item.listingId,
        title: item.title ?? '',
        photoUrl: `/photos/${photos[at % 4]}-${at % 3}/thumb`,
        facts: base.prompt.target?.facts ?? [],
      },
      money,
      feeNotice:
        site === 'MKT_DE'
          ? 'First listing on MKT_DE: the marketplace charges its own fees for each listing. Your yes also agrees to this notice.'
          : null,
    },
  };
};

const rowOf = (item: ItemView, at: number): BatchRow => ({
  listingId: item.listingId ?? '',
  title: item.title ?? item.name,
  ...(at % 10 === 9
    ? {
        approval: null,
        problem: {
          code: 'MISSING_PACKAGE_WEIGHT',
          sentence: 'The postage needs the packed weight. Enter it, then publish again.',
        },
      }
    : { approval: approvalOf(item, at), problem: null }),
});

export const makeBatch = (items: readonly ItemView[]): BatchView => ({
  batchId: 'bat_1',
  act: `Publish ${items.length} listings`,
  rows: items.map(rowOf),
  state: 'waiting',
  askedAt: Date.now(),
  shownAt: Date.now(),
});

const over = (approval: ApprovalView, at: number): ApprovalView => {
  if (at % 10 === 4)
    return {
      ...approval,
      state: 'failed',
      decidedAt: Date.now(),
      outcome: {
        sentence: 'This category does not take the condition “Used – good”.',
        code: 'CONDITION_NOT_ALLOWED',
        url: null,
      },
    };
  if (at % 10 === 6 && approval.sinceShown.length === 0)
    return {
      ...approval,
      approvalId: `${approval.approvalId}x`,
      digest: `${approval.digest}x`,
      state: 'pending',
      shownAt: Date.now(),
      sinceShown: [{ label: 'Insertion fee', before: 'US$0.35', after: 'US$0.50' }],
      prompt: {
        ...approval.prompt,
        money: approval.prompt.money && {
          ...approval.prompt.money,
          totalMinor: 50,
          lines: [{ name: 'Insertion fee', amountMinor: 50 }],
        },
      },
    };
  return {
    ...approval,
    state: 'done',
    decidedAt: Date.now(),
    outcome: { sentence: 'It is live.', code: null, url: `https://market.example/listing/${at}` },
  };
};

/** The next step of a batch that is being sent: the one under way ends, the next one starts. */
export const stepBatch = (batch: BatchView): BatchView => {
  const rows = batch.rows.map((row, at) =>
    row.approval?.state === 'sending' ? { ...row, approval: over(row.approval, at) } : row,
  );
  const next = batch.state === 'sending' ? rows.findIndex(({ approval }) => approval?.state === 'approved') : -1;
  const state = next === -1 ? 'over' : batch.state;
  return {
    ...batch,
    state,
    rows: rows.map((row, at) => {
      if (!row.approval || row.approval.state !== 'approved') return row;
      if (at === next) return { ...row, approval: { ...row.approval, state: 'sending' } };
      return state === 'over' ? { ...row, approval: { ...row.approval, state: 'withdrawn' } } : row;
    }),
  };
};
