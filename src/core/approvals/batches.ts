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

/** One line of a batch: an approval of its own, or why it cannot be asked for. */
export type BatchRow = {
  listingId: string;
  route: RouteName;
  title: string;
  /** What other languages say the title from, where it is in words of ours. */
  titleSays?: Message | undefined;
  approval: ApprovalView | null;
  /** Why this one cannot be done now, in words: it is not sent, or waits for another yes. */
  problem: StoredRow['problem'];
};

/** Several requests of one asker in one prompt, which the window groups by act. An assistant's holds one kind of act. */
export type BatchView = {
  batchId: string;
  by: Asker;
  /** The assistant's own words, shown as such. */
  reason: string | null;
  /** Why the asker's name is easily taken for another one's; null when it is not. */
  nameLike: NameLike | null;
  rows: BatchRow[];
  /** `held`: the yes is given and can be taken back until `heldUntil`. */
  state: 'waiting' | 'held' | 'sending' | 'stopping' | 'over';
  /** How many rows had the person's yes when the companion ended, and were not sent: they need another yes. */
  interrupted: number;
  heldUntil: number | null;
  /** Its place among the prompts: that of its first row. */
  placeSeq: number;
  askedAt: number;
  shownAt: number;
};

/** What batches work with. */
export type BatchesContext = {
  db: Db;
  clock: Clock;
  changed: Changed;
  notify: Notify;
  account: () => string;
  approvals: Approvals;
  listings: ListingsTable;
  nameLike: (by: Asker) => NameLike | null;
  /** Asks for one request of a batch and answers its approval. */
  askInBatch: (request: BatchRequest & { by: Asker; reason?: string | undefined }, batchId: string) => Promise<string>;
};

/** A batch whose rows are being sent. */
type Run = { stopping: boolean };

type RowProblem = NonNullable<BatchRow['problem']>;

type Context = BatchesContext & {
  table: BatchesTable;
  running: Map<string, Run>;
  /** Why the last yes to a question came to nothing, by the id of its approval. */
  failed: Map<string, RowProblem>;
};

/** One request of a batch: about one listing, and no two about the same. */
export type BatchRequest = { route: RouteName; input: RawInput };

const mostRequests = 200;
/** Listings are read and quoted a few at a time, so that 200 of them neither take minutes nor flood the service. */
const readAtOnce = 4;

/** Several acts of one asker in one prompt: every row is an approval of its own, bound to its own listing and fee. */
export type Batches = {
  /** Asks the person to publish these listings, each with exactly what its single prompt would store. */
  ask: (listingIds: string[]) => Promise<BatchView>;
  askFor: (by: Asker, requests: BatchRequest[], reason?: string) => Promise<BatchView[]>;
  /** The yes to those chosen, and the no to the others, each to what was shown of it. */
  approve: (batchId: string, chosen: Chosen[], others?: readonly Chosen[]) => Promise<BatchView>;
  /** The batches that are not closed, first come first served. Closes those that an assistant left before an answer. */
  list: () => BatchView[];
  /** One batch as it is now, also when it is closed. */
  read: (batchId: string) => BatchView;
  /** Takes back what is held and not sent yet; sends nothing more. */
  takeBack: (batchId: string) => BatchView;
  /** Sends nothing more; what is under way is finished, the rest waits. */
  stop: (batchId: string) => BatchView;
  /** The no to these rows as they were shown. It closes once none waits: a row that was drawn anew meanwhile keeps it open. */
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

/** The title of a row: that of its prompt, else the one that was stored with it. */
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

/** Whether nothing of an assistant's batch waits any more, and the person answered none of it: there is nothing to tell. */
const isLeft = ({ by, state, rows }: BatchView): boolean =>
  by.kind === 'assistant' && state === 'over' && rows.every(({ approval }) => (approval?.decidedAt ?? null) === null);

/** Closes it; on a disk that takes nothing, later. */
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

/** The yes to that row came to nothing: it waits again, and tells why. */
const failRow = ({ failed }: Context, approvalId: string, error: unknown): void =>
  void failed.set(approvalId, problemOf(error));

/** Refusals for which the person is not shown the same listing again: it was just declined, or asked for too often. */
const unshown: readonly string[] = ['PERSON_DECLINED', 'TOO_MANY_WAITING'];

/**
 * Asks for all of them at once. What cannot be done is a row with its reason, and does not stop the others; of what must not
 * be shown again only the asker is told.
 */
const askAll = async (context: Context, by: Asker, requests: BatchRequest[], reason?: string): Promise<BatchView> => {
  const { table, clock, account } = context;
  const owner = account();
  const batchId = `ba_${randomUUID()}`;
  const rows = await mapConcurrently(requests, readAtOnce, (request) =>
    askOne(context, request, { by, reason, batchId }),
  );
  // Rows of one account are no batch of another.
  if (account() !== owner) throw problem('ACCOUNT_CHANGED');
  const shown = rows.filter((row) => !unshown.includes(row.problem?.code ?? ''));
  table.add({ batchId, account: owner, by, reason: reason ?? null, askedAt: clock.now() }, shown);
  const made = view(context, need(context, batchId));
  // Nothing of it can be asked: the asker is told, and the person is not bothered with an empty prompt.
  if (by.kind === 'assistant' && made.state === 'over') table.close(batchId, clock.now());
  else if (by.kind === 'assistant') announce(context, by.name, made);
  context.changed('approvals');
  return { ...made, rows: rows.map((row) => rowView(context, row)) };
};

/** One notification for all of it. */
const announce = ({ notify }: Context, name: string, { batchId, rows }: BatchView): void => {
  const asked = rows.filter(({ approval }) => approval?.state === 'pending');
  const title = message('notices.asks', { name, act: actText(asked) });
  const titles = asked.slice(0, 3).map(({ title: own, titleSays }): MessageValue => titleSays ?? own);
  const text = joinedAll([...titles, ...(asked.length > 3 ? ['…'] : [])]);
  notify({ kind: 'approvals', ...noticeText(title, text), batchId });
};

/** Several questions: one prompt for the person's own, one a kind of act for an assistant's. */
const askFor = async (context: Context, by: Asker, requests: BatchRequest[], reason?: string): Promise<BatchView[]> => {
  checkRequests(requests);
  context.approvals.checkBatches(by);
  const kinds = by.kind === 'person' ? [requests] : [...Map.groupBy(requests, ({ route }) => route).values()];
  const asked: BatchView[] = [];
  for (const kind of kinds) asked.push(await askAll(context, by, kind, reason));
  return asked;
};

/** Throws where a row that is chosen does not wait in this very batch as it was shown. */
const checkChosen = (context: Context, found: Batch, chosen: readonly Chosen[]): void => {
  const own = new Map(
    view(context, found).rows.flatMap(({ approval }) => (approval ? [[approval.approvalId, approval]] : [])),
  );
  for (const one of chosen) {
    const approval = own.get(one.approvalId);
    if (!approval || approval.digest !== one.digest) throw problem('NOT_WHAT_WAS_SHOWN');
  }
};

/** The prompts that a row had, one in the place of the other; the one that it has now is the last. */
const promptsOf = ({ approvals }: Pick<Context, 'approvals'>, approvalId: string | null): ApprovalView[] => {
  if (approvalId === null) return [];
  const own = approvals.view(approvalId);
  return [own, ...promptsOf({ approvals }, own.supersededBy)];
};

/**
 * Declines the prompts that were shown so, also where another one took the place of one in the same moment: an assistant
 * escapes no no by asking for other values.
 */
const declineShown = (context: Context, found: Batch, shown: readonly Chosen[]): void => {
  const digests = new Map(shown.map(({ approvalId, digest }) => [approvalId, digest]));
  for (const { approvalId: firstId } of found.rows)
    for (const { approvalId, digest } of promptsOf(context, firstId))
      if (digests.get(approvalId) === digest) context.approvals.decline(approvalId, digest, 'no');
};

/**
 * The yes to exactly these rows, and the no to the ones without a tick as they were shown: on disk in one transaction. The
 * sending follows after the answer; acts that cannot be undone are held together.
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

/** After the sending no row has a yes any more: those that wait again need another one. */
const finishYes = async ({ table, running, changed }: Context, found: Batch, sent: Promise<void>): Promise<void> => {
  try {
    await sent;
    table.noteYes(found, () => false);
  } catch {
    // The companion stopped, or the disk takes nothing: what was not sent is asked again at the next start.
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

/** The act of rows that are all of one kind, in words. */
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
