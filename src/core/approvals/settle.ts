import type { Listing } from '../../contract/index.ts';
import { problemView } from '../base/problem.ts';
import { claimReadingWaits, readingWaits } from '../service/pacing/lostAnswers.ts';
import type { ServiceError } from '../service/serviceError.ts';
import type { ApprovalEvent, ApprovalOutcome } from '../storage/tables/approvalRecord.ts';
import type { ApprovalRow, StoredAnswer } from '../storage/tables/approvalsTable.ts';
import type { ApprovalsContext } from './approvalsContext.ts';
import type { LiveCheck } from './liveCheck.ts';
import {
  contradictedOutcome,
  doneOutcome,
  isContradicted,
  isLetGo,
  outcomeFacts,
  refusedYetDone,
  unconfirmedOutcome,
  uncheckedUnread,
  undoneOutcome,
  unreadOutcome,
  unshownOutcome,
  unwatchedOutcome,
} from './outcomes.ts';
import { othersIn } from './prompts/channels.ts';
import type { ReadingRounds } from './readingRounds.ts';
import { isConnectedAs, ownReadings, type OwnReadings } from './ownReadings.ts';
import { isClaim, isReconcilable, reconcile, type KnownBefore, type Verdict } from './reconcile.ts';

/** The engine's context, and the lookups of this run. */
export type SettleContext = ApprovalsContext & {
  check: LiveCheck;
  settling: Map<string, Promise<void>>;
  rounds: ReadingRounds;
};

/** Applies an event to an approval and records it; returns false if the current state does not allow the event. */
export const moveApproval = (
  context: SettleContext,
  row: ApprovalRow,
  event: ApprovalEvent,
  more: { answer?: StoredAnswer; outcome?: ApprovalOutcome },
): boolean => {
  const { db, table, ledger } = context;
  const at = context.clock.now();
  const moved = db.transaction(() => {
    const ok = table.move(row.approval_id, event, { at, ...more });
    if (ok)
      ledger.append(at, `approval.${event}`, {
        approvalId: row.approval_id,
        route: row.route,
        ...outcomeFacts(row.route, more.outcome),
      });
    return ok;
  })();
  context.changed('approvals');
  return moved;
};

/**
 * Settles a request that the service reports as done. An act on a listing counts as done unless a read of the listing
 * contradicts it.
 */
export const settleAnswered = async (context: SettleContext, row: ApprovalRow, answer: StoredAnswer): Promise<void> => {
  if (!isClaim(row.route)) return succeed(context, row, 'answer', { answer });
  // Stored before the reads, so that the answer survives a crash.
  context.table.keepAnswer(row.approval_id, answer);
  await settleApproval(context, row);
};

/** Settles a request that the service refused, with the service's own words. Also notes if the listing shows it as done. */
export const settleRefused = async (
  context: SettleContext,
  row: ApprovalRow,
  error: ServiceError,
  answer: StoredAnswer | null,
): Promise<void> => {
  const verdict =
    answer !== null && isClaim(row.route) ? await readAfterRefusal(context, row, answer.status) : undefined;
  const { sentence, says } = problemView(error);
  const text = verdict?.shows === 'done' ? refusedYetDone(error) : { code: error.code, sentence, says };
  const outcome = { ...text, url: null };
  moveApproval(context, row, 'refuse', { ...(answer ? { answer } : {}), outcome });
};

/** Statuses after which a read would be refused, too. */
export const unreadableStatuses: readonly number[] = [401, 403, 429];

const readAfterRefusal = async (
  context: SettleContext,
  row: ApprovalRow,
  status: number,
): Promise<Verdict | undefined> => {
  const readings = unreadableStatuses.includes(status) ? null : ownReadings(context, row);
  const verdict = readings ? await readVerdict(context, row, readings) : undefined;
  if (!readings || verdict?.shows !== 'done' || isProven(row, verdict, undefined)) return verdict;
  await context.clock.sleep(context.pacing.draw('secondReading'));
  return readVerdict(context, row, readings);
};

/** Fails an approval whose request was not sent or could not be prepared. */
export const failApproval = (context: SettleContext, row: ApprovalRow, error: unknown): void => {
  const { sentence, code, says } = problemView(error);
  moveApproval(context, row, 'refuse', { outcome: { sentence, code, says, url: null } });
};

/** Settles a request that may have been sent, without an answer, by reading only. */
export const settleInterrupted = async (context: SettleContext, row: ApprovalRow, error?: unknown): Promise<void> => {
  // The service had answered before the companion quit: compare that answer with the listing.
  if (context.table.read(row.approval_id)?.answer) return settleApproval(context, row);
  moveApproval(context, row, 'interrupt', { outcome: unconfirmedOutcome(isReconcilable(row.route), error) });
  await settleApproval(context, row);
};

/** Settles an approval by reading only. If nothing can be read, it stays unconfirmed and is looked up again later. */
export const settleApproval = (context: SettleContext, row: ApprovalRow): Promise<void> => {
  const { settling } = context;
  const running = settling.get(row.approval_id) ?? lookUp(context, row).finally(() => settling.delete(row.approval_id));
  settling.set(row.approval_id, running);
  return running;
};

const lookUp = async (context: SettleContext, { approval_id: approvalId }: ApprovalRow): Promise<void> => {
  const { table, rounds, lostAnswers } = context;
  const row = table.read(approvalId);
  const round = rounds.dueRound(approvalId);
  if (!row || !isReconcilable(row.route) || round === null) return;
  const mayRead = ownReadings(context, row) !== null;
  // Evaluated before the reads: the last round is the one that starts after that time.
  const isLastRound = lostAnswers.isOver(approvalId, row.sent_at);
  const verdict = await (row.answer
    ? lookUpClaim(context, row, { answer: row.answer, round })
    : lookUpLost(context, row, round));
  const left = table.read(approvalId);
  if (left?.state !== 'unconfirmed') return rounds.forget(approvalId);
  if (!mayRead) return;
  rounds.noteRound(approvalId, isLastRound);
  if (isLastRound && !isLetGo(left)) letGo(context, left, verdict);
};

/**
 * Ends the automatic lookups. The listing is unlocked if the service reported success or the reads were inconclusive.
 * If the answer was lost and nothing could be read, the person must unlock it.
 */
const letGo = (context: SettleContext, row: ApprovalRow, verdict: Verdict | undefined): void => {
  if (row.answer) moveApproval(context, row, 'letGo', { outcome: uncheckedUnread() });
  else if (verdict || row.listing_id === null)
    moveApproval(context, row, 'letGo', { outcome: unshownOutcome(row.outcome) });
  else return leaveUnwatched(context, row);
  context.locks.release(row.listing_id, row.approval_id);
};

const leaveUnwatched = (context: SettleContext, row: ApprovalRow): void => {
  const outcome = unwatchedOutcome(row.outcome);
  // Stored once, however often the lookup is repeated.
  if (outcome.says?.key !== row.outcome?.says?.key) moveApproval(context, row, 'letGo', { outcome });
};

/** Repeats ended lookups of a listing, after another request could read it. */
export const resumeReadings = async (context: SettleContext, listingId: string): Promise<void> => {
  const { table, account, rounds } = context;
  const rows = table
    .inState(account(), 'unconfirmed')
    .filter((row) => row.listing_id === listingId && rounds.mayResume(row.approval_id));
  await Promise.all(
    rows.map((row) => {
      rounds.forget(row.approval_id);
      return settleApproval(context, row);
    }),
  );
};

/** The waits of later rounds: one read, or as many as prove a deletion. */
const laterWaits = ({ route }: ApprovalRow) =>
  route === 'deleteListing' ? (['secondReading', 'lastReading'] as const) : (['secondReading'] as const);

/** A single "not found" may be temporary: a deletion is proven only by two reads in a row. */
const isProven = ({ route }: ApprovalRow, verdict: Verdict | undefined, before: Verdict | undefined): boolean =>
  verdict?.shows === 'done' && (route !== 'deleteListing' || before?.shows === 'done');

/** Reads one round after a lost answer; returns the last verdict if it settles nothing. */
const lookUpLost = async (context: SettleContext, row: ApprovalRow, round: number): Promise<Verdict | undefined> => {
  const { locks, lostAnswers } = context;
  const readings = ownReadings(context, row);
  if (readings === null) return undefined;
  const waits = round > 0 ? laterWaits(row) : readingWaits;
  let before: Verdict | undefined;
  for (const [index, wait] of waits.entries()) {
    await context.clock.sleep(context.pacing.draw(wait));
    const verdict = await readVerdict(context, row, readings);
    // The account or key changed: the lookup starts over once its account is connected again.
    if (!readings.count()) return undefined;
    const isLast = index === waits.length - 1 && lostAnswers.isReadable(row.approval_id, row.sent_at);
    // The listing could be read, so others need not wait for it any longer.
    if (verdict !== undefined && isLast) locks.release(row.listing_id, row.approval_id);
    if (verdict && isProven(row, verdict, before)) {
      const answer = { status: 200, headers: {}, body: verdict.body };
      await succeed(context, row, 'confirm', { answer, verdict });
      locks.release(row.listing_id, row.approval_id);
      return verdict;
    }
    // Only the last read may conclude that it did not happen.
    if (verdict?.shows === 'undone' && isLast)
      moveApproval(context, row, 'refute', { outcome: undoneOutcome(row.outcome) });
    before = verdict;
  }
  return before;
};

/**
 * Compares the service's answer with the listing: at once, because most services show it at once, and then as after a lost
 * answer, because some are slow. Only the last read may conclude a contradiction.
 */
const lookUpClaim = async (
  context: SettleContext,
  row: ApprovalRow,
  { answer, round }: { answer: StoredAnswer; round: number },
): Promise<undefined> => {
  // A listing that was already read in all rounds is read once.
  const waits = round > 0 || isLetGo(row) ? laterWaits(row) : claimReadingWaits;
  const readings = ownReadings(context, row);
  let verdict: Verdict | undefined;
  for (const wait of readings === null ? [] : waits) {
    if (wait !== null) await context.clock.sleep(context.pacing.draw(wait));
    const before = verdict;
    verdict = readings ? await readVerdict(context, row, readings) : undefined;
    if (!readings?.count()) verdict = undefined;
    if (isProven(row, verdict, before) || verdict?.shows === 'nothing') {
      await succeed(context, row, row.state === 'sending' ? 'answer' : 'confirm', { answer, verdict });
      context.locks.release(row.listing_id, row.approval_id);
      return undefined;
    }
  }
  // For a deletion, a "not found" in the last read alone proves neither success nor a contradiction.
  leaveUnconfirmed(context, row, verdict !== undefined && verdict.shows !== 'done');
  return undefined;
};

/** Handles reads that do not show what the service claims. A listing that could be read is unlocked. */
const leaveUnconfirmed = (context: SettleContext, row: ApprovalRow, isRead: boolean): void => {
  if (isRead && !isContradicted(row)) moveApproval(context, row, 'contradict', { outcome: contradictedOutcome() });
  if (!isRead && row.state === 'sending') moveApproval(context, row, 'interrupt', { outcome: unreadOutcome() });
  if (isRead) context.locks.release(row.listing_id, row.approval_id);
};

/** Returns what was known of the listing and its channels when it was approved. */
const knownBefore = ({ subject }: ApprovalRow): KnownBefore => {
  if (subject.version !== 2) return {};
  const { soldQuantity } = subject.context;
  return {
    record: subject.listing ?? undefined,
    soldQuantity: typeof soldQuantity === 'number' ? soldQuantity : undefined,
    channels: Object.fromEntries(othersIn(subject.context).map(({ channelId, before }) => [channelId, before])),
  };
};

/** Reads once; undefined if the service could not be read. A listing that was read is cached, whatever it shows. */
const readVerdict = async (
  context: SettleContext,
  row: ApprovalRow,
  readings: OwnReadings,
): Promise<Verdict | undefined> => {
  try {
    const verdict = await reconcile(row.subject.request, readings.client, knownBefore(row));
    if (verdict.listing && readings.count()) context.keep(verdict.listing);
    return verdict;
  } catch (error) {
    context.log('warn', 'listing could not be read after an act', { code: problemView(error).code });
    return undefined;
  }
};

/**
 * Settles an approval as done. `verdict` is the read that proves it; without an act on a listing the answer alone is proof.
 */
const succeed = async (
  context: SettleContext,
  row: ApprovalRow,
  event: 'answer' | 'confirm',
  { answer, verdict }: { answer: StoredAnswer; verdict?: Verdict },
): Promise<void> => {
  const told = doneOutcome(row, answer.body, verdict);
  const { url } = told;
  const page = url !== null && isClaim(row.route) ? context.pageLinks.noteAnswered(url) : url;
  const outcome = { ...told, url: page };
  // Another call may have settled it while this one was reading; then this result does not apply.
  if (!moveApproval(context, row, event, { answer, outcome })) return;
  context.answered(row, answer.body);
  await followListing(context, row, verdict?.listing);
};

/** Updates caches and items with the result for the listing, and compares the live listing with what was shown. */
const followListing = async (context: SettleContext, row: ApprovalRow, read: Listing | undefined): Promise<void> => {
  const { listing_id: listingId } = row;
  // Do not cache what another account could read; it is read again when its own account is connected.
  if (listingId === null || !isConnectedAs(context, row.account)) return;
  if (row.route === 'deleteListing') return context.forget(listingId);
  try {
    const listing = read ?? (await context.reads.listing(listingId));
    if (!read) context.keep(listing);
    await context.check.holdAgainst(row, listing);
  } catch (error) {
    context.log('warn', 'listing could not be read after an act', { code: problemView(error).code });
  }
};
