import type { PresenceEvidence } from '../../../src/core/presence/windowSessions.ts';
import { createApprovalsTable } from '../../../src/core/storage/tables/approvalsTable.ts';
import { checkWholeLedger } from '../../../src/core/approvals/ledger/chainCheck.ts';
import { exportLedger } from '../../../src/core/approvals/ledger/exportLedger.ts';
import { createReceiptExporter } from '../../../src/core/approvals/ledger/receipts.ts';
import { openLedger } from '../../../src/core/approvals/ledger/openLedger.ts';
import { createBoundSubject } from '../../../src/core/approvals/subject.ts';
import type { ExportPart, Secrets } from '../../../src/core/base/ports.ts';
import { openMigratedDatabase, type Db } from '../../../src/core/storage/database.ts';
import { createSettingsTable } from '../../../src/core/storage/tables/settingsTable.ts';
import { createLedgerTable } from '../../../src/core/storage/tables/ledger/ledgerTable.ts';
import { createMemorySecrets } from '../hosts/createMemorySecrets.ts';
import { createTestClock } from '../testClock.ts';

const prompt = {
  act: 'Publish on MKT_US',
  consequence: 'It goes live.',
  target: null,
  facts: [],
  changes: [],
  money: null,
  feeNotice: null,
  mainFact: null,
  undo: 'It can be ended.',
  final: false,
  yes: 'Publish',
};

const joinParts = (parts: Iterable<ExportPart>): string => Array.from(parts, ({ text }) => text).join('');

type Options = { db?: Db; secrets?: Secrets };

/** Creates a ledger with a key, without a companion, and returns its exports. */
export const createSignedLedger = async ({
  db = openMigratedDatabase(':memory:'),
  secrets = createMemorySecrets('system'),
}: Options = {}) => {
  const clock = createTestClock(Date.parse('2026-03-01T12:00:00Z'));
  const logs: string[] = [];
  const signed = await openLedger({
    isFresh: false,
    onAppended: () => undefined,
    onOlderDatabase: () => undefined,
    db,
    secrets,
    clock,
    settings: createSettingsTable(db),
    log: (_level, message) => void logs.push(message),
    changed: () => undefined,
    checkInThread: async () => checkWholeLedger(createLedgerTable(db)),
  });
  const { ledger } = signed;
  const table = createApprovalsTable(db);
  const receipts = createReceiptExporter({ approvalsTable: table, ledger, clock });

  const asked = {
    route: 'publishListing' as const,
    input: { params: { listingId: 'lst_1' }, body: {} },
    account: 'practice#u1',
    askerId: 'as_1',
    key: 'print of a key',
  };
  const subject = createBoundSubject(asked, {
    listing: { listingId: 'lst_1', status: 'pending_review', price: 2_000 },
    quote: { state: 'free' },
  });
  /** Adds the rows of an approval that was requested and answered. */
  const settle = (approvalId: string, answer: 'answer' | 'decline' = 'answer', evidence?: PresenceEvidence): void => {
    const at = clock.now();
    const row = (kind: string, facts: Record<string, unknown> = {}): void =>
      ledger.append(clock.now(), kind, { approvalId, ...facts });
    const by = { kind: 'assistant', assistantId: 'as_1', name: 'Garage helper' } as const;
    const digest = `digest of ${approvalId}`;
    table.add({
      approvalId,
      account: 'practice#u1',
      asker: by,
      askerId: 'as_1',
      route: 'publishListing',
      requestDigest: `request of ${approvalId}`,
      digest,
      prompt,
      subject,
      reason: 'It is ready.',
      sinceShown: [],
      askedAt: at,
      shownAt: at,
      expiresAt: at + 1_000_000,
      batchId: null,
      placeSeq: null,
      askedSeq: null,
      isCorrection: false,
      addedItemId: null,
    });
    row('approval.asked', { by, route: 'publishListing', digest, act: prompt.act });
    clock.advance(1_000);
    const now = { at: clock.now() };
    if (answer === 'decline') {
      table.move(approvalId, 'decline', now);
      return row('approval.decline', { why: 'no' });
    }
    table.move(approvalId, 'approve', { ...now, ...(evidence && { evidence }) });
    row('approval.approve', { digest });
    table.move(approvalId, 'send', now);
    row('approval.send', { route: 'publishListing' });
    const body = { marketListingUrl: 'https://market.example/1', fees: [{ name: 'Insertion', amount: 0.35 }] };
    const outcome = { sentence: 'Published.', code: null, url: body.marketListingUrl };
    table.move(approvalId, 'answer', { ...now, answer: { status: 200, headers: {}, body }, outcome });
    row('approval.answer', { route: 'publishListing', code: null, url: outcome.url });
  };

  return {
    db,
    secrets,
    clock,
    logs,
    signed,
    ledger,
    settle,
    exported: () => joinParts(exportLedger(ledger, 'jsonl', clock.now())),
    receipt: (approvalId: string) => receipts.exportReceipt(approvalId).text,
    receipts: () => joinParts(receipts.exportReceipts()),
  };
};
