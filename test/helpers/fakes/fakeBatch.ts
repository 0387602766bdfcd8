import type { ApprovalView, PromptMoney } from '../../../src/core/storage/tables/approvalRecord.ts';
import type { BatchRow, BatchView } from '../../../src/core/approvals/batches.ts';
import type { ItemView } from '../../../src/core/storage/tables/itemRecord.ts';
import { endApproval, publishApproval, reviseApproval } from './fakeApprovals.ts';
import { boundPhotos, change, fact, feeOf, siteFact, siteSays, siteWords } from './fakePrompt.ts';
import { readyItems } from './fakeReadyItems.ts';
import type { Asker } from '../../../src/core/base/request.ts';

/** What a line of a batch is made from. */
export type Listed = Pick<ItemView, 'listingId' | 'title' | 'name'>;

const photos = ['fox', 'camera', 'book', 'shoes'];

const moneyOf = (at: number): PromptMoney => {
  if (at % 5 === 3) return { ...feeOf(0, 'EUR'), state: 'free', lines: [] };
  return feeOf(35, at % 5 === 2 ? 'EUR' : 'USD');
};

const targetOf = (item: Listed, at: number): ApprovalView['prompt']['target'] => ({
  listingId: item.listingId,
  title: item.title ?? '',
  ...boundPhotos(photos[at % 4] ?? 'fox', 3),
});

const factsOf = (site: string): ApprovalView['prompt']['facts'] => [
  fact('listing', 'price', site === 'MKT_DE' ? '€34.99' : 'US$34.99', { label: 'Price' }),
  fact('listing', 'condition', 'Used – good', { label: 'Condition' }),
  siteFact(site),
  fact('specifics', 'Material', 'Ceramic'),
];

const own: Pick<ApprovalView, 'by' | 'reason'> = { by: { kind: 'person' }, reason: null };

const publishOf = (item: Listed, at: number): ApprovalView => {
  const money = moneyOf(at);
  const site = money.currency === 'EUR' ? 'MKT_DE' : 'MKT_US';
  const base = publishApproval(own);
  const notice = `First listing on ${siteWords(site)}: the marketplace charges its own fees for each listing. Your yes also agrees to this notice.`;
  return {
    ...base,
    approvalId: `apr_b${at}`,
    digest: `digest-b${at}`,
    placeSeq: Date.now(),
    askedAt: Date.now(),
    prompt: {
      ...base.prompt,
      act: `Publish on ${siteWords(site)}`,
      says: { ...base.prompt.says, act: { key: 'prompts.publishOn', values: { site: siteSays(site) } } },
      target: targetOf(item, at),
      facts: factsOf(site),
      money,
      feeNotice: site === 'MKT_DE' ? notice : null,
    },
  };
};

const finalOf = (item: Listed, at: number, route: 'endListing' | 'deleteListing'): ApprovalView => {
  const base = endApproval({
    ...own,
    route,
    approvalId: `apr_b${at}`,
    digest: `digest-b${at}`,
    placeSeq: Date.now(),
    askedAt: Date.now(),
  });
  const words =
    route === 'endListing'
      ? {}
      : {
          act: 'Delete the listing',
          consequence: 'Its text and photos are deleted from the service. Your own photos stay.',
          undo: 'This cannot be undone.',
          yes: 'Delete for good',
          says: {},
        };
  const prompt = { ...base.prompt, ...words, target: targetOf(item, at), facts: factsOf('MKT_US') };
  return { ...base, prompt };
};

const changeOf = (item: Listed, at: number): ApprovalView => {
  const base = reviseApproval({
    ...own,
    approvalId: `apr_b${at}`,
    digest: `digest-b${at}`,
    placeSeq: Date.now(),
    askedAt: Date.now(),
  });
  const changes = [change('price', 'US$34.99', 'US$31.49')];
  return {
    ...base,
    prompt: { ...base.prompt, target: targetOf(item, at), facts: factsOf('MKT_US'), changes },
  };
};

export type FakeRoute = 'publishListing' | 'reviseListing' | 'endListing' | 'deleteListing';

const approvalOf = (item: Listed, at: number, route: FakeRoute): ApprovalView => {
  if (route === 'publishListing') return publishOf(item, at);
  return route === 'reviseListing' ? changeOf(item, at) : finalOf(item, at, route);
};

const problem = {
  code: 'MISSING_PACKAGE_WEIGHT',
  sentence: 'Shipping needs the packed weight. Enter it, then publish again.',
};

const rowOf = (item: Listed, at: number, route: FakeRoute): BatchRow => ({
  listingId: item.listingId ?? '',
  route,
  title: item.title ?? item.name,
  ...(at % 10 === 9 && route === 'publishListing'
    ? { approval: null, problem }
    : { approval: approvalOf(item, at, route), problem: null }),
});

/** One question about several listings: publishes, unless each has a route of its own. */
export const makeBatch = (
  items: readonly Listed[],
  more: Partial<BatchView> = {},
  routes: readonly FakeRoute[] = [],
): BatchView => ({
  batchId: 'bat_1',
  by: { kind: 'person' },
  reason: null,
  nameLike: null,
  interrupted: 0,
  rows: items.map((item, at) => rowOf(item, at, routes[at] ?? 'publishListing')),
  state: 'waiting',
  heldUntil: null,
  placeSeq: Date.now(),
  askedAt: Date.now(),
  shownAt: Date.now(),
  ...more,
});

const garage: Asker = { kind: 'assistant', assistantId: 'ast_1', name: 'Garage helper' };

/** The same, asked by an assistant. */
export const assistantBatch = (count: number, route: FakeRoute = 'publishListing', batchId = 'bat_a1'): BatchView => {
  const batch = makeBatch(
    readyItems(count),
    { batchId, by: garage, reason: 'These are the ones from the red box; you wanted them out before Sunday.' },
    Array.from({ length: count }, () => route),
  );
  const withAsker = (approval: ApprovalView): ApprovalView => ({
    ...approval,
    approvalId: `${batchId}_${approval.approvalId}`,
    by: garage,
  });
  return { ...batch, rows: batch.rows.map((row) => ({ ...row, approval: row.approval && withAsker(row.approval) })) };
};

/** A person's batch of all that one prompt can hold: publishes, one of them with an unknown fee, a change, ends, a delete. */
export const mixedBatch = (more: Partial<BatchView> = {}): BatchView => {
  const batch = makeBatch(readyItems(8), { batchId: 'bat_m1', ...more }, [
    'publishListing',
    'publishListing',
    'publishListing',
    'publishListing',
    'reviseListing',
    'endListing',
    'endListing',
    'deleteListing',
  ]);
  const unknown: PromptMoney = { ...feeOf(0), state: 'unavailable', currency: null, totalMinor: null, lines: [] };
  const rows = batch.rows.map((row, at) =>
    at === 1 && row.approval
      ? { ...row, approval: { ...row.approval, prompt: { ...row.approval.prompt, money: unknown } } }
      : row,
  );
  return { ...batch, rows };
};
