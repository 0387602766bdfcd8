import type { Listing } from '../../src/contract/index.ts';
import type { Ledger } from '../../src/core/approvals/ledger/ledger.ts';
import { computeRequestDigest, computeSubjectDigest, createBoundSubject } from '../../src/core/approvals/subject.ts';
import type { Asker } from '../../src/core/base/request.ts';
import type { Db } from '../../src/core/storage/database.ts';
import type { ApprovalEvent, Prompt, PromptFact } from '../../src/core/storage/tables/approvalRecord.ts';
import { createApprovalsTable } from '../../src/core/storage/tables/approvalsTable.ts';

type Assistant = Extract<Asker, { kind: 'assistant' }>;
export const askers = [
  { kind: 'assistant', assistantId: 'as_scale_1', name: 'Garage helper' },
  { kind: 'assistant', assistantId: 'as_scale_2', name: 'Price watcher' },
] as const satisfies readonly Assistant[];

const createFacts = ({ title, price, condition, categoryName, sku }: Listing): PromptFact[] =>
  Object.entries({ title, price, condition, categoryName, sku }).map(([key, value]) => ({
    ...{ namespace: 'listing', key, label: key, value: String(value) },
  }));

const createPrompt = (listing: Listing): Prompt => ({
  act: 'Publish on MKT_US',
  consequence: 'It goes live on the marketplace, and buyers can buy it at once.',
  target: { listingId: listing.listingId, title: listing.title ?? '', photoUrl: null, photos: [] },
  facts: createFacts(listing),
  changes: [],
  money: {
    ...{ state: 'fee', currency: 'USD', totalMinor: 35, reason: null, quotedAt: 0 },
    lines: [{ name: 'Insertion fee', amountMinor: 35 }],
  },
  ...{ feeNotice: null, mainFact: null, undo: 'It can be ended.', final: false, yes: 'Publish' },
});

type Context = { db: Db; ledger: Ledger; account: string; newestAt: number };

const dayMs = 86_400_000;
/** The requests of a day come within this time. */
const workingMs = 12 * 3_600_000;
/** The requests are spread over a year and a half. */
const days = 540;

/** Returns when the request with this number was made. The last one was made at `newestAt`. */
const findAskedAt = (at: number, count: number, newestAt: number): number => {
  const before = count - 1 - at;
  const perDay = Math.max(1, Math.ceil(count / days));
  return newestAt - Math.floor(before / perDay) * dayMs - Math.floor(((before % perDay) / perDay) * workingMs);
};

/** Six of ten requests are done, three are declined, and one expires. Together they have 36 rows in the ledger. */
const outcomesInTurn = [
  ...(['done', 'declined', 'done', 'done', 'declined'] as const),
  ...(['done', 'expired', 'done', 'declined', 'done'] as const),
];

/** Adds settled approvals with their signed rows, in the way of the approval engine. */
export const addApprovals = (context: Context, createListing: (at: number) => Listing, count: number): void => {
  const { db, ledger, account, newestAt } = context;
  const table = createApprovalsTable(db);
  const addApproval = (at: number): void => {
    const [approvalId, askedAt] = [`apr_scale_${at}`, findAskedAt(at, count, newestAt)];
    const by = askers[at % askers.length] ?? askers[0];
    const listing = createListing(at);
    const request = {
      ...({ route: 'publishListing', account, askerId: by.assistantId } as const),
      input: { params: { listingId: listing.listingId }, body: { marketplaceId: 'MKT_US' } },
    };
    const quote = {
      state: 'fee',
      currency: 'USD',
      totalMinor: 35,
      lines: [{ name: 'Insertion fee', amountMinor: 35 }],
    } as const;
    const subject = createBoundSubject(
      { ...request, key: 'print of a key' },
      { listing, quote: { ...quote, lines: [...quote.lines] } },
    );
    const [digest, requestDigest] = [computeSubjectDigest(subject), computeRequestDigest(request)];
    const prompt = createPrompt(listing);
    const row = (kind: string, facts: Record<string, unknown>): void =>
      ledger.append(askedAt, `approval.${kind}`, { approvalId, ...facts });
    const move = (event: ApprovalEvent, marks: object = {}): unknown =>
      table.move(approvalId, event, { at: askedAt, ...marks });
    table.add({
      ...{ approvalId, account, asker: by, askerId: by.assistantId, route: request.route, subject, requestDigest },
      ...{ digest, prompt, reason: 'It is ready.', sinceShown: [], askedAt, shownAt: askedAt, batchId: null },
      ...{ expiresAt: askedAt + 86_400_000, placeSeq: null, askedSeq: null, isCorrection: false, addedItemId: null },
    });
    row('asked', { by, route: request.route, digest, act: prompt.act });
    const outcome = outcomesInTurn[at % outcomesInTurn.length];
    if (outcome === 'done') {
      move('approve');
      row('approve', { digest });
      move('send');
      row('send', { route: request.route });
      const url = `https://market.example/${at}`;
      const answer = { status: 200, headers: {}, body: { marketListingUrl: url } };
      move('answer', { answer, outcome: { sentence: 'Published.', code: null, url } });
      row('answer', { route: request.route, code: null, url });
      table.noteChecked(approvalId, askedAt, []);
    } else {
      row('shown', { digest, drawnAs: 'prompt' });
      move(outcome === 'expired' ? 'expire' : 'decline');
      row(outcome === 'expired' ? 'expire' : 'decline', { why: outcome === 'expired' ? 'late' : 'no' });
    }
  };
  for (let at = 0; at < count; at += 1) addApproval(at);
};
