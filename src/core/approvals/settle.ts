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

/** What the functions that settle work with: the engine's context, and what is being looked up in this run. */
export type SettleContext = ApprovalsContext & {
  check: LiveCheck;
  /** Approvals that are being looked up. */
  settling: Map<string, Promise<void>>;
  rounds: ReadingRounds;
};

/** Moves an approval and records it; false where it is not where the event starts from. */
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

/** The service says that it is done. An act on a listing is done only if no reading of the listing says otherwise. */
export const settleAnswered = async (context: SettleContext, row: ApprovalRow, answer: StoredAnswer): Promise<void> => {
  if (!isClaim(row.route)) return succeed(context, row, 'answer', { answer });
  // On disk before the readings: what the service said is known after a crash as well.
  context.table.keepAnswer(row.approval_id, answer);
  await settleApproval(context, row);
};

/** The service refused it: told in its own words, also that the listing shows it as done all the same. */
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

/** Answers after which reading would only be refused as well. */
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

/** What was asked for was not sent, or did not come to it. */
export const failApproval = (context: SettleContext, row: ApprovalRow, error: unknown): void => {
  const { sentence, code, says } = problemView(error);
  moveApproval(context, row, 'refuse', { outcome: { sentence, code, says, url: null } });
};

/** It may have left, and nobody knows what became of it: looked up by reading only. */
export const settleInterrupted = async (context: SettleContext, row: ApprovalRow, error?: unknown): Promise<void> => {
  // The service answered before the companion ended: what it said is held against the listing.
  if (context.table.read(row.approval_id)?.answer) return settleApproval(context, row);
  moveApproval(context, row, 'interrupt', { outcome: unconfirmedOutcome(isReconcilable(row.route), error) });
  await settleApproval(context, row);
};

/** Settles an approval by reading only. Without a reading it stays unconfirmed and is looked at again later. */
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
  // Asked before the readings: the last round is one that begins after that time.
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
 * Nothing is read of it by itself any more. Its listing is free for others where the service says that it is done, or where
 * reading it does not tell; where an answer was lost and nothing could be read, the person lets go of it.
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
  // Told once, however often its listing is tried again.
  if (outcome.says?.key !== row.outcome?.says?.key) moveApproval(context, row, 'letGo', { outcome });
};

/** Somebody else could read a listing: what nothing is read of by itself any more is looked up once more. */
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

/** The waits of a round after the first, which is one reading, or as many as prove it. */
const laterWaits = ({ route }: ApprovalRow) =>
  route === 'deleteListing' ? (['secondReading', 'lastReading'] as const) : (['secondReading'] as const);

/** A listing that is not found once may be there all the same: it is gone where the next reading does not find it either. */
const isProven = ({ route }: ApprovalRow, verdict: Verdict | undefined, before: Verdict | undefined): boolean =>
  verdict?.shows === 'done' && (route !== 'deleteListing' || before?.shows === 'done');

/** The readings of one round after a lost answer; what the last one shows, where it settles nothing. */
const lookUpLost = async (context: SettleContext, row: ApprovalRow, round: number): Promise<Verdict | undefined> => {
  const { locks, lostAnswers } = context;
  const readings = ownReadings(context, row);
  if (readings === null) return undefined;
  const waits = round > 0 ? laterWaits(row) : readingWaits;
  let before: Verdict | undefined;
  for (const [index, wait] of waits.entries()) {
    await context.clock.sleep(context.pacing.draw(wait));
    const verdict = await readVerdict(context, row, readings);
    // It is looked up anew, from the first reading on, once its account is there again.
    if (!readings.count()) return undefined;
    const isLast = index === waits.length - 1 && lostAnswers.isReadable(row.approval_id, row.sent_at);
    // It was read, so the listing is as it is: nobody has to wait for it any longer.
    if (verdict !== undefined && isLast) locks.release(row.listing_id, row.approval_id);
    if (verdict && isProven(row, verdict, before)) {
      const answer = { status: 200, headers: {}, body: verdict.body };
      await succeed(context, row, 'confirm', { answer, verdict });
      locks.release(row.listing_id, row.approval_id);
      return verdict;
    }
    // Only the last of several readings may say that it did not happen.
    if (verdict?.shows === 'undone' && isLast)
      moveApproval(context, row, 'refute', { outcome: undoneOutcome(row.outcome) });
    before = verdict;
  }
  return before;
};

/**
 * Holds what the service says against the listing: at once, as most services show it at once, and then as after a lost
 * answer, as some are slow. Only the last reading may say that it is otherwise.
 */
const lookUpClaim = async (
  context: SettleContext,
  row: ApprovalRow,
  { answer, round }: { answer: StoredAnswer; round: number },
): Promise<undefined> => {
  // One that was read to its last reading before is read once.
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
  // A listing that only the last reading did not find proves neither.
  leaveUnconfirmed(context, row, verdict !== undefined && verdict.shows !== 'done');
  return undefined;
};

/** No reading shows what the service claims. Once the listing was read, nobody has to wait for it any longer. */
const leaveUnconfirmed = (context: SettleContext, row: ApprovalRow, isRead: boolean): void => {
  if (isRead && !isContradicted(row)) moveApproval(context, row, 'contradict', { outcome: contradictedOutcome() });
  if (!isRead && row.state === 'sending') moveApproval(context, row, 'interrupt', { outcome: unreadOutcome() });
  if (isRead) context.locks.release(row.listing_id, row.approval_id);
};

/** What the yes was bound to, of the listing and of the channels that it stands on. */
const knownBefore = ({ subject }: ApprovalRow): KnownBefore => {
  if (subject.version !== 2) return {};
  const { soldQuantity } = subject.context;
  return {
    record: subject.listing ?? undefined,
    soldQuantity: typeof soldQuantity === 'number' ? soldQuantity : undefined,
    channels: Object.fromEntries(othersIn(subject.context).map(({ channelId, before }) => [channelId, before])),
  };
};

/** One reading; undefined where the service could not be read. What was read of the listing is kept, whatever it shows. */
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
    context.log('warn', 'a listing could not be read after an act', { code: problemView(error).code });
    return undefined;
  }
};

/** It is done. `verdict` is the reading that shows it; an answer alone proves what is no act on a listing. */
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
  // Somebody else may have settled it meanwhile: then what is read now is not about this one any more.
  if (!moveApproval(context, row, event, { answer, outcome })) return;
  context.answered(row, answer.body);
  await followListing(context, row, verdict?.listing);
};

/** Caches and items see what the act did to the listing, and what is live is held against what was shown. */
const followListing = async (context: SettleContext, row: ApprovalRow, read: Listing | undefined): Promise<void> => {
  const { listing_id: listingId } = row;
  // What another account could see of it is nothing to keep; it is read again when its own is back.
  if (listingId === null || !isConnectedAs(context, row.account)) return;
  if (row.route === 'deleteListing') return context.forget(listingId);
  try {
    const listing = read ?? (await context.reads.listing(listingId));
    if (!read) context.keep(listing);
    await context.check.holdAgainst(row, listing);
  } catch (error) {
    context.log('warn', 'a listing could not be read after an act', { code: problemView(error).code });
  }
};
