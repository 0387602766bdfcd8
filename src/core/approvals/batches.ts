import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import type { RawInput, RouteName } from '../../contract/index.ts';
import { inEnglish } from '../../words/inEnglish.ts';
import { saying, type Saying } from '../../words/saying.ts';
import type { ListingsTable } from '../store/listingsTable.ts';
import { json, type Db } from '../store/database.ts';
import { problem, problemView } from '../problem.ts';
import type { Asker } from './approval.ts';
import { approvalView } from './approvalsTable.ts';
import type { BatchRow, BatchView } from './batch.ts';
import type { Approvals } from './engine.ts';
import type { Clock, Changed } from '../ports.ts';
import { sayingShape } from '../words/sayingShape.ts';

const storedRow = z.object({
  listingId: z.string(),
  title: z.string(),
  approvalId: z.string().nullable(),
  problem: z.object({ code: z.string(), sentence: z.string(), says: sayingShape.optional() }).nullable(),
});
type StoredRow = z.infer<typeof storedRow>;
const batch = z.object({
  batch_id: z.string(),
  account: z.string(),
  rows: json(z.array(storedRow)),
  asked_at: z.int(),
  closed_at: z.int().nullable(),
});
type Batch = z.infer<typeof batch>;

type Parts = {
  db: Db;
  clock: Clock;
  changed: Changed;
  account: () => string;
  approvals: Approvals;
  listings: ListingsTable;
  /** Asks for one request of a batch and answers its approval. */
  askInBatch: (request: BatchRequest & { by: Asker; reason?: string | undefined }, batchId: string) => Promise<string>;
};

/** One request of a batch: about one listing, and no two about the same. */
export type BatchRequest = { route: RouteName; input: RawInput };

const person: Asker = { kind: 'person' };
/** Listings are read and quoted a few at a time, so that 200 of them neither take minutes nor flood the service. */
const readAtOnce = 4;

/** Many publishes in one prompt: every row is an approval of its own, bound to its own facts and fee. */
export const createBatches = ({ db, clock, changed, account, approvals, listings, askInBatch }: Parts) => {
  const running = new Map<string, { stopping: boolean }>();
  const one = db.prepare('select * from batches where batch_id = ?');
  const newest = db.prepare(
    'select * from batches where account = ? and closed_at is null order by asked_at desc limit 1',
  );
  const insert = db.prepare('insert into batches (batch_id, account, rows, asked_at) values (?, ?, ?, ?)');
  const closing = db.prepare('update batches set closed_at = ? where batch_id = ? and closed_at is null');

  const need = (batchId: string): Batch => {
    const found = one.get(batchId);
    if (found === undefined) throw problem('NOT_FOUND.batch');
    return batch.parse(found);
  };

  const rowView = (row: StoredRow): BatchRow => {
    const approval = row.approvalId === null ? null : approvalView(approvals.latest(row.approvalId));
    return {
      listingId: row.listingId,
      title: approval?.prompt.target?.title ?? row.title,
      approval,
      problem: row.problem,
    };
  };

  const view = (found: Batch): BatchView => {
    const rows = found.rows.map(rowView);
    const waiting = rows.some(({ approval }) => approval?.state === 'pending');
    const run = running.get(found.batch_id);
    const state = run ? (run.stopping ? 'stopping' : 'sending') : waiting ? 'waiting' : 'over';
    const shownAt = Math.max(found.asked_at, ...rows.map(({ approval }) => approval?.shownAt ?? 0));
    return {
      batchId: found.batch_id,
      act: inEnglish(actOf(rows)),
      rows,
      state,
      askedAt: found.asked_at,
      shownAt,
    };
  };

  const askOne = async (
    by: Asker,
    request: BatchRequest,
    reason: string | undefined,
    batchId: string,
  ): Promise<StoredRow> => {
    const listingId = listingIdOf(request);
    const title = listings.read(account(), listingId)?.title ?? 'Untitled';
    try {
      const approvalId = await askInBatch({ ...request, by, reason }, batchId);
      return { listingId, title, approvalId, problem: null };
    } catch (error) {
      const { code, sentence, says } = problemView(error);
      return { listingId, title, approvalId: null, problem: { code, sentence, says } };
    }
  };

  /** Asks for all of them at once. What cannot be done is a row with its reason, and does not stop the others. */
  const askAll = async (by: Asker, requests: BatchRequest[], reason?: string): Promise<BatchView> => {
    const batchId = `ba_${randomUUID()}`;
    const rows: StoredRow[] = [];
    const line = [...requests.entries()];
    const work = async () => {
      for (let next = line.shift(); next !== undefined; next = line.shift())
        rows[next[0]] = await askOne(by, next[1], reason, batchId);
    };
    await Promise.all(Array.from({ length: readAtOnce }, work));
    insert.run(batchId, account(), JSON.stringify(rows), clock.now());
    changed('approvals');
    return view(need(batchId));
  };

  const current = (): BatchView | null => {
    const found = newest.get(account());
    return found === undefined ? null : view(batch.parse(found));
  };

  /** Several questions of an assistant in one prompt. Only one such prompt waits at a time. */
  const askFor = async (by: Asker, requests: BatchRequest[], reason?: string): Promise<BatchView> => {
    checkRequests(requests);
    const open = current();
    if (open && open.state !== 'over') throw problem('TOO_MANY_WAITING.lists', { retryAfterS: 60 });
    return askAll(by, requests, reason);
  };

  const send = async (
    batchId: string,
    chosen: { approvalId: string; digest: string }[],
    run: { stopping: boolean },
  ) => {
    try {
      for (const { approvalId, digest } of chosen) {
        if (run.stopping) return;
        // A row that fails is told in its own row; the others go on.
        await approvals.approve(approvalId, digest).catch(() => undefined);
      }
    } finally {
      running.delete(batchId);
      changed('approvals');
    }
  };

  /** The yes to exactly these rows; the ones without a tick are declined. The sending goes on after the answer. */
  const approve = (batchId: string, chosen: { approvalId: string; digest: string }[]): BatchView => {
    const found = need(batchId);
    const own = view(found).rows.flatMap(({ approval }) => (approval ? [approval] : []));
    const ids = new Set(own.map(({ approvalId }) => approvalId));
    if (chosen.some(({ approvalId }) => !ids.has(approvalId))) {
      throw problem('NOT_WHAT_WAS_SHOWN');
    }
    if (running.has(batchId)) return view(found);
    const ticked = new Set(chosen.map(({ approvalId }) => approvalId));
    for (const { approvalId, state } of own)
      if (state === 'pending' && !ticked.has(approvalId)) approvals.decline(approvalId, 'no');
    const run = { stopping: false };
    running.set(batchId, run);
    void send(batchId, chosen, run);
    changed('approvals');
    return view(found);
  };

  return {
    /** Asks the person to publish these listings, each with exactly what its single prompt would store. */
    ask: (listingIds: string[]) =>
      askAll(
        person,
        [...new Set(listingIds)].map((listingId) => ({
          route: 'publishListing',
          input: { params: { listingId }, body: {} },
        })),
      ),
    askFor,
    approve,
    /** The batch that is open, if there is one. */
    current,
    /** Sends nothing more; what is under way is finished, the rest waits. */
    stop: (batchId: string): BatchView => {
      const run = running.get(batchId);
      if (run) run.stopping = true;
      changed('approvals');
      return view(need(batchId));
    },
    /** Closes it: what still waits is declined. */
    close: (batchId: string): void => {
      const found = need(batchId);
      const run = running.get(batchId);
      if (run) run.stopping = true;
      for (const { approval } of view(found).rows)
        if (approval?.state === 'pending') approvals.decline(approval.approvalId, 'no');
      closing.run(clock.now(), batchId);
      changed('approvals');
    },
  };
};

const mostRequests = 200;
const publishes: readonly string[] = ['publishListing', 'publishChannels'];

const actOf = (rows: BatchRow[]): Saying =>
  rows.every(({ approval }) => approval === null || publishes.includes(approval.route))
    ? saying('prompts.publishMany', { count: rows.length })
    : saying('prompts.changeMany', { count: rows.length });

const listingIdOf = ({ input }: BatchRequest): string => input.params?.['listingId'] ?? '';

const checkRequests = (requests: BatchRequest[]): void => {
  const ids = requests.map(listingIdOf);
  const field = 'requests';
  if (requests.length < 2 || requests.length > mostRequests)
    throw problem('INVALID_REQUEST.batchSize', { field, values: { most: mostRequests } });
  if (ids.includes('')) throw problem('INVALID_REQUEST.batchListings', { field });
  if (new Set(ids).size < ids.length) throw problem('INVALID_REQUEST.batchTwice', { field });
};
