import * as z from 'zod';
import { createJsonColumn, type Db } from '../database.ts';
import { messageShape } from '../../base/messages.ts';
import { declineReasons } from '../../base/problem.ts';
import { type Asker, askerShape } from '../../base/request.ts';
import { routeName } from './approvalRecord.ts';

const storedRow = z.object({
  listingId: z.string(),
  // Older batches have no route, because all of them are publishes.
  route: routeName.default('publishListing'),
  title: z.string(),
  /** The digest of the request as its asker made it; absent in older batches. */
  requestDigest: z.string().optional(),
  approvalId: z.string().nullable(),
  problem: z
    .object({
      code: z.string(),
      sentence: z.string(),
      says: messageShape.optional(),
      retryAfterS: z.number().optional(),
      declinedBecause: z.enum(declineReasons).optional(),
    })
    .nullable(),
  /** True from the approval of the row until the whole batch has been sent. */
  hasYes: z.boolean().optional(),
});
export type StoredBatchRow = z.infer<typeof storedRow>;

const batch = z.object({
  batch_id: z.string(),
  account: z.string(),
  asker: createJsonColumn(askerShape),
  reason: z.string().nullable(),
  rows: createJsonColumn(z.array(storedRow)),
  asked_at: z.int(),
  closed_at: z.int().nullable(),
});
export type Batch = z.infer<typeof batch>;
const batches = z.array(batch);

export type NewBatch = { batchId: string; account: string; by: Asker; reason: string | null; askedAt: number };

export type BatchesTable = ReturnType<typeof createBatchesTable>;

export const createBatchesTable = (db: Db) => {
  const one = db.prepare('select * from batches where batch_id = ?');
  const open = db.prepare('select * from batches where account = ? and closed_at is null order by rowid');
  const insert = db.prepare(
    'insert into batches (batch_id, account, asker, reason, rows, asked_at) values (?, ?, ?, ?, ?, ?)',
  );
  const keepRows = db.prepare('update batches set rows = ? where batch_id = ?');
  const closing = db.prepare('update batches set closed_at = ? where batch_id = ? and closed_at is null');
  return {
    read: (batchId: string): Batch | null => {
      const found = one.get(batchId);
      return found === undefined ? null : batch.parse(found);
    },
    open: (account: string): Batch[] => batches.parse(open.all(account)),
    add: ({ batchId, account, by, reason, askedAt }: NewBatch, rows: readonly StoredBatchRow[]): void =>
      void insert.run(batchId, account, JSON.stringify(by), reason, JSON.stringify(rows), askedAt),
    noteYes: ({ batch_id: batchId, rows }: Batch, hasYes: (row: StoredBatchRow) => boolean): void =>
      void keepRows.run(JSON.stringify(rows.map((row) => ({ ...row, hasYes: hasYes(row) }))), batchId),
    close: (batchId: string, at: number): void => void closing.run(at, batchId),
  };
};
