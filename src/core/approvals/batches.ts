import { mapConcurrently } from '../base/semaphore.ts';
import { actOf, type Act, type RouteName, type RawInput } from '../../contract/index.ts';
import type { NameLike } from '../base/similarNames.ts';
import type { ApprovalView } from '../storage/tables/approvalRecord.ts';
import { person, type Asker } from '../base/request.ts';
import { formatEnglish } from '../../i18n/english.ts';
import { type Message, type MessageValue, message } from '../../i18n/message.ts';
import { randomUUID } from 'node:crypto';
import type { ListingsTable } from '../storage/tables/listingsTable.ts';
import type { Db } from '../storage/database.ts';
import { diskProblem, problem, problemView } from '../base/problem.ts';
import type { Changed, Clock, Notify } from '../base/ports.ts';
import { noticeText } from '../base/messages.ts';
import { batchesTable, type Batch, type BatchesTable, type StoredRow } from '../storage/tables/batchesTable.ts';
import { joinedAll } from './approvalNotice.ts';
import type { Chosen } from './heldActs.ts';
import { untitled } from './prompts/draw.ts';
import type { Approvals } from './approvals.ts';

/** One row of a batch: its own approval, or the reason why it cannot be requested. */
export type BatchRow = {
  listingId: string;
  route: RouteName;
  title: string;
  /** The translatable title, where the title is a text of the companion. */
  titleSays?: Message | undefined;
  approval: ApprovalView | null;
  /** Why this row cannot be done now. It is not sent, or it must be approved again. */
  problem: StoredRow['problem'];
};

/**
 * Several requests of one asker in one prompt; the window groups them by act. A batch of an assistant contains one kind of
 * act.
 */
export type BatchView = {
  batchId: string;
  by: Asker;
  /** The assistant's own words; the window marks them as such. */
  reason: string | null;
  /** Why the asker's name can be confused with another asker's; null if it cannot. */
  nameLike: NameLike | null;
  rows: BatchRow[];
  /** `held`: approved, and can be taken back until `heldUntil`. */
  state: 'waiting' | 'held' | 'sending' | 'stopping' | 'over';
  /** The number of rows that were approved but not sent when the companion quit. They must be approved again. */
  interrupted: number;
  heldUntil: number | null;
  /** The position among the prompts: that of its first row. */
  placeSeq: number;
  askedAt: number;
  shownAt: number;
};

export type BatchesContext = {
  db: Db;
  clock: Clock;
  changed: Changed;
  notify: Notify;
  account: () => string;
  approvals: Approvals;
  listings: ListingsTable;
  nameLike: (by: Asker) => NameLike | null;
  /** Requests the approval of one row; returns its id. */
  askInBatch: (request: BatchRequest & { by: Asker; reason?: string | undefined }, batchId: string) => Promise<string>;
};

type Run = { stopping: boolean };

type RowProblem = NonNullable<BatchRow['problem']>;

type Context = BatchesContext & {
  table: BatchesTable;
  running: Map<string, Run>;
  /** Why sending an approved row failed, by approval id. */
  failed: Map<string, RowProblem>;
};

/** One request of a batch. A batch contains at most one request per listing. */
export type BatchRequest = { route: RouteName; input: RawInput };

const mostRequests = 200;
/** Reads of listings and fees in parallel: 200 listings must neither take minutes nor flood the service. */
const readAtOnce = 4;

/** Several acts of one asker in one prompt. Each row is its own approval, bound to its own listing and fee. */
export type Batches = {
  /** Requests approval to publish these listings, each with the same stored subject as a single prompt. */
  ask: (listingIds: string[]) => Promise<BatchView>;
  askFor: (by: Asker, requests: BatchRequest[], reason?: string) => Promise<BatchView[]>;
  /** Approves the chosen rows and declines the others, each as it was shown. */
  approve: (batchId: string, chosen: Chosen[], others?: readonly Chosen[]) => Promise<BatchView>;
  /**
   * Returns the open batches in order of arrival. Closes those whose assistant withdrew every row before the person
   * answered.
   */
  list: () => BatchView[];
  read: (batchId: string) => BatchView;
  /** Takes back the rows in the undo window and sends nothing more. */
  takeBack: (batchId: string) => BatchView;
  /** Sends nothing more. Requests in flight finish; the other rows stay pending. */
  stop: (batchId: string) => BatchView;
  /** Declines these rows as they were shown. The batch closes unless a row is still pending because it was redrawn. */
  close: (batchId: string, shown: readonly Chosen[]) => void;
};

export const createBatches = (parts: BatchesContext): Batches => {
  const context: Context = { ...parts, table: batchesTable(parts.db), running: new Map(), failed: new Map() };
  return {
    ask: (listingIds) => askAll(context, person, [...new Set(listingIds)].map(publishOf)),
    askFor: (by, requests, reason) => askFor(context, by, requests, reason),
    approve: (batchId, chosen, others) => approve(context, batchId, chosen, others),
    list: () => listOpen(context),
    read: (batchId) => view(context, need(context, batchId)),
    takeBack: (batchId) => takeBack(context, batchId),
    stop: (batchId) => {
      stop(context, batchId);
      return view(context, need(context, batchId));
    },
    close: (batchId, shown) => close(context, batchId, shown),
  };
};

const publishOf = (listingId: string): BatchRequest => ({
  route: 'publishListing',
  input: { params: { listingId }, body: {} },
});

const need = ({ table, account }: Context, batchId: string): Batch => {
  const found = table.read(batchId);
  if (!found || found.account !== account()) throw problem('NOT_FOUND.batch');
  return found;
};

const rowView = ({ approvals, failed }: Context, row: StoredRow): BatchRow => {
  const { listingId, route, title, approvalId } = row;
  const approval = approvalId === null ? null : approvals.viewOf(approvals.latest(approvalId));
  const problem = approval?.state === 'pending' ? (failed.get(approval.approvalId) ?? null) : row.problem;
  return { listingId, route, ...titleOf(approval, title), approval, problem };
};

/** Returns the title of the row's prompt, or the title that was stored with the row. */
const titleOf = (approval: ApprovalView | null, stored: string): Pick<BatchRow, 'title' | 'titleSays'> => {
  const { target, says } = approval?.prompt ?? {};
  if (target) return { title: target.title, titleSays: says?.title };
  return stored === '' ? { title: formatEnglish(untitled), titleSays: untitled } : { title: stored };
};

const isUnsent = ({ approval }: BatchRow): boolean => approval?.state === 'pending' || approval?.state === 'approved';

const stateOf = ({ running }: Context, batchId: string, rows: BatchRow[]): BatchView['state'] => {
  const run = running.get(batchId);
  if (rows.some(({ approval }) => approval?.heldUntil !== null && approval?.state === 'approved')) return 'held';
  if (run) return run.stopping ? 'stopping' : 'sending';
  return rows.some(isUnsent) ? 'waiting' : 'over';
};

const view = (context: Context, found: Batch): BatchView => {
  const rows = found.rows.map((row) => rowView(context, row));
  const state = stateOf(context, found.batch_id, rows);
  const held = rows.flatMap(({ approval }) => approval?.heldUntil ?? []);
  return {
    batchId: found.batch_id,
    by: found.asker,
    reason: found.reason,
    nameLike: context.nameLike(found.asker),
    rows,
    state,
    interrupted: context.running.has(found.batch_id)
      ? 0
      : rows.filter((row, at) => found.rows[at]?.hasYes && isUnsent(row)).length,
    heldUntil: state === 'held' ? Math.max(...held) : null,
    placeSeq: Math.min(...rows.map(({ approval }) => approval?.placeSeq ?? Number.MAX_SAFE_INTEGER)),
    askedAt: found.asked_at,
    shownAt: Math.max(found.asked_at, ...rows.map(({ approval }) => approval?.shownAt ?? 0)),
  };
};

/** Whether an assistant withdrew its whole batch before the person answered: there is nothing to report. */
const isLeft = ({ by, state, rows }: BatchView): boolean =>
  by.kind === 'assistant' && state === 'over' && rows.every(({ approval }) => (approval?.decidedAt ?? null) === null);

/** Closes the batch. If the disk is full or failing, a later call closes it. */
const closeLeft = ({ table, clock }: Context, batchId: string): void => {
  try {
    table.close(batchId, clock.now());
  } catch (error) {
    if (diskProblem(error) === null) throw error;
  }
};

const listOpen = (context: Context): BatchView[] => {
  const open = context.table.open(context.account()).map((found) => view(context, found));
  for (const one of open) if (isLeft(one)) closeLeft(context, one.batchId);
  return open.filter((one) => !isLeft(one));
};

const askOne = async (
  { listings, account, askInBatch }: Context,
  request: BatchRequest,
  { by, reason, batchId }: { by: Asker; reason: string | undefined; batchId: string },
): Promise<StoredRow> => {
  const listingId = listingIdOf(request);
  const row = { listingId, route: request.route, title: listings.read(account(), listingId)?.title ?? '' };
  try {
    const approvalId = await askInBatch({ ...request, by, reason }, batchId);
    return { ...row, approvalId, problem: null };
  } catch (error) {
    return { ...row, approvalId: null, problem: problemOf(error) };
  }
};

const problemOf = (error: unknown): RowProblem => {
  const { code, sentence, says, retryAfterS, declinedBecause } = problemView(error);
  return { code, sentence, says, retryAfterS, declinedBecause };
};

/** Keeps the reason why an approved row was not sent; the row is pending again. */
const failRow = ({ failed }: Context, approvalId: string, error: unknown): void =>
  void failed.set(approvalId, problemOf(error));

/** The listing is not shown again after these refusals: it was just declined, or requested too often. */
const unshown: readonly string[] = ['PERSON_DECLINED', 'TOO_MANY_WAITING'];

/**
 * Requests approval for all rows at once. A row that cannot be requested carries its reason and does not stop the others.
 * A row that must not be shown again is reported to the asker only.
 */
const askAll = async (context: Context, by: Asker, requests: BatchRequest[], reason?: string): Promise<BatchView> => {
  const { table, clock, account } = context;
  const owner = account();
  const batchId = `ba_${randomUUID()}`;
  const rows = await mapConcurrently(requests, readAtOnce, (request) =>
    askOne(context, request, { by, reason, batchId }),
  );
  // The account changed while the listings were read.
  if (account() !== owner) throw problem('ACCOUNT_CHANGED');
  const shown = rows.filter((row) => !unshown.includes(row.problem?.code ?? ''));
  table.add({ batchId, account: owner, by, reason: reason ?? null, askedAt: clock.now() }, shown);
  const made = view(context, need(context, batchId));
  // No row can be requested: tell the asker, and do not show the person an empty prompt.
  if (by.kind === 'assistant' && made.state === 'over') table.close(batchId, clock.now());
  else if (by.kind === 'assistant') announce(context, by.name, made);
  context.changed('approvals');
  return { ...made, rows: rows.map((row) => rowView(context, row)) };
};

const announce = ({ notify }: Context, name: string, { batchId, rows }: BatchView): void => {
  const asked = rows.filter(({ approval }) => approval?.state === 'pending');
  const title = message('notices.asks', { name, act: actText(asked) });
  const titles = asked.slice(0, 3).map(({ title: own, titleSays }): MessageValue => titleSays ?? own);
  const text = joinedAll([...titles, ...(asked.length > 3 ? ['…'] : [])]);
  notify({ kind: 'approvals', ...noticeText(title, text), batchId });
};

/** Creates one batch for the person's requests, and one per kind of act for an assistant's. */
const askFor = async (context: Context, by: Asker, requests: BatchRequest[], reason?: string): Promise<BatchView[]> => {
  checkRequests(requests);
  context.approvals.checkBatches(by);
  const kinds = by.kind === 'person' ? [requests] : [...Map.groupBy(requests, ({ route }) => route).values()];
  const asked: BatchView[] = [];
  for (const kind of kinds) asked.push(await askAll(context, by, kind, reason));
  return asked;
};

/** Throws if a chosen row is not pending in this batch as it was shown. */
const checkChosen = (context: Context, found: Batch, chosen: readonly Chosen[]): void => {
  const own = new Map(
    view(context, found).rows.flatMap(({ approval }) => (approval ? [[approval.approvalId, approval]] : [])),
  );
  for (const one of chosen) {
    const approval = own.get(one.approvalId);
    if (!approval || approval.digest !== one.digest) throw problem('NOT_WHAT_WAS_SHOWN');
  }
};

/** Returns the prompts of a row from first to latest, by following `supersededBy`. */
const promptsOf = ({ approvals }: Pick<Context, 'approvals'>, approvalId: string | null): ApprovalView[] => {
  if (approvalId === null) return [];
  const own = approvals.view(approvalId);
  return [own, ...promptsOf({ approvals }, own.supersededBy)];
};

/**
 * Declines the prompts as they were shown, even if one was superseded at the same moment:
 * an assistant cannot avoid a decline by requesting other values.
 */
const declineShown = (context: Context, found: Batch, shown: readonly Chosen[]): void => {
  const digests = new Map(shown.map(({ approvalId, digest }) => [approvalId, digest]));
  for (const { approvalId: firstId } of found.rows)
    for (const { approvalId, digest } of promptsOf(context, firstId))
      if (digests.get(approvalId) === digest) context.approvals.decline(approvalId, digest, 'no');
};

/**
 * Approves exactly these rows and declines the unticked rows as they were shown, in one transaction.
 * Sending follows after the return. Irreversible acts share one undo window.
 */
const approve = async (
  context: Context,
  batchId: string,
  chosen: Chosen[],
  others: readonly Chosen[] = [],
): Promise<BatchView> => {
  const { running, approvals, table } = context;
  const found = need(context, batchId);
  checkChosen(context, found, chosen);
  if (running.has(batchId)) return view(context, found);
  const run = { stopping: false };
  running.set(batchId, run);
  const ticked = new Set(chosen.map(({ approvalId }) => approvalId));
  for (const approvalId of ticked) context.failed.delete(approvalId);
  const isTicked = ({ approvalId }: StoredRow): boolean =>
    approvalId !== null && ticked.has(approvals.latest(approvalId).approval_id);
  const unticked = others.filter(({ approvalId }) => !ticked.has(approvalId));
  const { sent } = await approvals
    .approveTogether(chosen, {
      isStopped: () => run.stopping,
      failed: (approvalId, error) => failRow(context, approvalId, error),
      store: () => {
        table.noteYes(found, isTicked);
        declineShown(context, found, unticked);
      },
    })
    .catch((error: unknown) => {
      running.delete(batchId);
      throw error;
    });
  void finishYes(context, found, sent);
  context.changed('approvals');
  return view(context, found);
};

/** Clears the approvals after sending: rows that are pending again must be approved again. */
const finishYes = async ({ table, running, changed }: Context, found: Batch, sent: Promise<void>): Promise<void> => {
  try {
    await sent;
    table.noteYes(found, () => false);
  } catch {
    // The companion quit, or the disk failed. Rows that were not sent are requested again at the next start.
  } finally {
    running.delete(found.batch_id);
    changed('approvals');
  }
};

const stop = ({ running, changed }: Context, batchId: string): void => {
  const run = running.get(batchId);
  if (run) run.stopping = true;
  changed('approvals');
};

const takeBack = (context: Context, batchId: string): BatchView => {
  const { approvals } = context;
  stop(context, batchId);
  for (const { approval } of view(context, need(context, batchId)).rows)
    if (approval?.state === 'approved' && approval.heldUntil !== null) approvals.takeBack(approval.approvalId);
  return view(context, need(context, batchId));
};

const close = (context: Context, batchId: string, shown: readonly Chosen[]): void => {
  const { table, clock } = context;
  const found = need(context, batchId);
  stop(context, batchId);
  declineShown(context, found, shown);
  const isWaiting = view(context, found).rows.some(({ approval }) => approval?.state === 'pending');
  if (!isWaiting) table.close(batchId, clock.now());
  context.changed('approvals');
};

const manyOf = {
  publish: 'prompts.publishMany',
  revise: 'prompts.reviseMany',
  end: 'prompts.endMany',
  delete: 'prompts.removeMany',
} as const satisfies Partial<Record<Act, string>>;

const actText = (rows: readonly BatchRow[]): Message => {
  const route = rows[0]?.route ?? 'publishListing';
  const count = rows.length;
  const act = actOf(route);
  if (act !== null && act !== 'disconnect') return message(manyOf[act], { count });
  const { act: english, says } = rows[0]?.approval?.prompt ?? { act: '' };
  return message('prompts.otherMany', { count, act: says?.act ?? english });
};

const listingIdOf = ({ input }: BatchRequest): string => input.params?.['listingId'] ?? '';

const checkRequests = (requests: BatchRequest[]): void => {
  const ids = requests.map(listingIdOf);
  const field = 'requests';
  if (requests.length < 2 || requests.length > mostRequests)
    throw problem('INVALID_REQUEST.batchSize', { field, values: { most: mostRequests } });
  if (ids.includes('')) throw problem('INVALID_REQUEST.batchListings', { field });
  if (new Set(ids).size < ids.length) throw problem('INVALID_REQUEST.batchTwice', { field });
};
