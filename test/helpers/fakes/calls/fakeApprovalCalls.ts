import { type ApprovalView, isFinalState } from '../../../../src/core/storage/tables/approvalRecord.ts';
import { extrasApproval } from '../fakeApprovals.ts';
import { mapApprovals, takeBackApproval } from '../fakeBatchSteps.ts';
import type { Answers, Fake } from '../fakeCompanion.ts';
import { askersOfRecord, matchesRecordFilter, sumFakeFees } from '../fakeRecord.ts';
import { refuseCall } from '../fakeRefusal.ts';

type Approving = Pick<
  Answers,
  Extract<keyof Answers, `approvals.${string}` | `history.${string}` | `receipts.${string}` | `exports.${string}`>
>;

const pages: Partial<Record<ApprovalView['route'], string>> = {
  publishListing: 'https://market.example/listing/12',
  createCheckoutToken: 'https://service.example/checkout/1',
};

const done = (one: ApprovalView): ApprovalView => ({
  ...one,
  state: 'done',
  decidedAt: Date.now(),
  outcome: {
    sentence: one.route === 'publishListing' ? 'It is live.' : 'Done.',
    code: null,
    url: pages[one.route] ?? null,
  },
});

const createOfferedFile = (name: string, text: string) => ({
  name,
  url: `data:application/octet-stream,${encodeURIComponent(text)}`,
});

const has = (text: string, q: string): boolean => text.toLowerCase().includes(q.toLowerCase());

/** Calls about single approvals and the history. */
export const createApprovalCalls = (fake: Fake): Approving => {
  const approval = (approvalId: string): ApprovalView =>
    [...fake.approvals, ...fake.history].find((one) => one.approvalId === approvalId) ??
    refuseCall('NOT_FOUND', 'This question is no longer here.');
  const replace = (next: ApprovalView): ApprovalView => {
    fake.approvals = fake.approvals.map((one) => (one.approvalId === next.approvalId ? next : one));
    setTimeout(() => fake.changed('approvals'), 20);
    return next;
  };
  const listRows = (): ApprovalView[] => fake.batches.flatMap(({ rows }) => rows.flatMap((row) => row.approval ?? []));
  const declineRow = (row: ApprovalView): ApprovalView => {
    const declined: ApprovalView = { ...row, state: 'declined' };
    const decline = (one: ApprovalView): ApprovalView => (one.approvalId === row.approvalId ? declined : one);
    fake.batches = fake.batches.map((batch) => mapApprovals(batch, decline));
    return declined;
  };
  return {
    'approvals.list': () => [...fake.approvals, ...listRows()].filter(({ state }) => !isFinalState(state)),
    'approvals.history': () => [...fake.approvals, ...fake.history],
    'approvals.shown': () => ({ windowSession: 'ws_fake' }),
    'approvals.get': ({ approvalId }) => approval(approvalId),
    'approvals.approve': async ({ approvalId }) => {
      const confirmedBy = fake.proofs.read().kinds[0] ?? 'press';
      const effect = fake.effects.get(approvalId);
      fake.effects.delete(approvalId);
      await effect?.();
      const one: ApprovalView = { ...approval(approvalId), confirmedBy };
      if (fake.onApprove) return replace(fake.onApprove(one));
      if (!one.prompt.final || fake.holdMs === 0) return replace(done(one));
      setTimeout(() => {
        const now = approval(approvalId);
        if (now.state === 'approved') replace({ ...done(now), heldUntil: null });
      }, fake.holdMs);
      return replace({ ...one, state: 'approved', decidedAt: Date.now(), heldUntil: Date.now() + fake.holdMs });
    },
    'approvals.takeBack': ({ approvalId }) => replace(takeBackApproval(approval(approvalId))),
    'approvals.unlock': ({ approvalId }) => replace({ ...approval(approvalId), state: 'failed', mayUnlock: false }),
    'approvals.decline': ({ approvalId }) => {
      const row = listRows().find((one) => one.approvalId === approvalId);
      if (row) return declineRow(row);
      const one = approval(approvalId);
      const decidedAt = Date.now();
      if (one.by.kind === 'person') return replace({ ...one, state: 'withdrawn', decidedAt, outcome: null });
      return replace({
        ...one,
        ...{ state: 'declined', decidedAt, outcome: { sentence: 'Nothing was sent.', code: null, url: null } },
      });
    },
    'approvals.lower': ({ approvalId, count }) => {
      const next = extrasApproval({ approvalId: `${approvalId}-${count}`, shownAt: Date.now() }, count);
      replace({ ...approval(approvalId), state: 'superseded', supersededBy: next.approvalId });
      fake.approvals = [...fake.approvals, next];
      return next;
    },
    'history.search': ({ q, before, limit, approvalId, answer, askerId }) => {
      const filtered = fake.record.filter((row) => matchesRecordFilter(row, { answer, askerId }));
      return {
        rows: filtered
          .filter(({ seq }) => before === undefined || seq < before)
          .filter(({ facts }) => approvalId === undefined || facts['approvalId'] === approvalId)
          .filter((row) => has(`${row.kind} ${row.title ?? ''} ${JSON.stringify(row.facts)}`, q))
          .slice(0, limit),
        fees: q === '' ? sumFakeFees(filtered) : [],
        askers: askersOfRecord,
        brokenAt: fake.brokenAt,
        alarm: fake.state.ledgerAlarm,
        signing: { fingerprint: '3f2a91bc04de77a1c0de'.padEnd(64, '0'), keychain: fake.state.keychain.kind },
      };
    },
    'history.acknowledge': () => (fake.state = { ...fake.state, ledgerAlarm: null }),
    'receipts.export': ({ approvalId }) => ({
      name: `receipt-${approvalId}.json`,
      type: 'application/json',
      text: '{}\n',
    }),
    'receipts.exportAll': () => createOfferedFile('receipts.jsonl', '{"approvalId":"apr_0"}\n'),
    'history.export': ({ format }) =>
      format === 'csv'
        ? createOfferedFile('companion-history.csv', 'seq,at,kind\n1,0,approval.asked\n')
        : createOfferedFile('companion-history.jsonl', '{"seq":1}\n'),
    'exports.list': () => fake.exports,
    'exports.cancel': ({ exportId }) => {
      fake.exports = fake.exports.filter((one) => one.exportId !== exportId);
      fake.changed('exports');
      return null;
    },
  };
};
