import type { Listing } from '../../../contract/index.ts';
import { toProblemView } from '../../base/problem.ts';
import { delaysAfterAnswer, delaysAfterLostAnswer } from '../../service/pacing/lostAnswers.ts';
import type { ServiceError } from '../../service/serviceError.ts';
import type { ApprovalEvent, ApprovalOutcome } from '../../storage/tables/approvalRecord.ts';
import type { ApprovalRow, StoredAnswer } from '../../storage/tables/approvalsTable.ts';
import type { ApprovalsContext } from '../approvalsContext.ts';
import type { LiveCheck } from './liveCheck.ts';
import {
  createContradictedOutcome,
  createDoneOutcome,
  isContradictedByListing,
  areLookupsEnded,
  toOutcomeFacts,
  createRefusedYetDoneOutcome,
  createUnconfirmedOutcome,
  createNeverReadSuccessOutcome,
  createUndoneOutcome,
  createUnreadSuccessOutcome,
  createInconclusiveOutcome,
  createLookupsEndedOutcome,
} from './outcomes.ts';
import { listOtherChannels } from '../prompts/channels.ts';
import type { LookupScheduler } from './lookupRounds.ts';
import { isAccountConnectedWithKey, createOutcomeReads, type OutcomeReads } from './outcomeReads.ts';
import {
  isVerifiedByReads,
  isReconcilableRoute,
  reconcileByReading,
  type KnownStateBefore,
  type Verdict,
} from './reconcile.ts';

export type SettleContext = ApprovalsContext & {
  liveCheck: LiveCheck;
  runningLookups: Map<string, Promise<void>>;
  rounds: LookupScheduler;
};

/** Applies an event to an approval and records it; returns false if the current state does not allow the event. */
export const applyApprovalEvent = (
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
        ...toOutcomeFacts(row.route, more.outcome),
      });
    return ok;
  })();
  context.changed('approvals');
  return moved;
};

/** Settles a request that the service reports as done. A read of the listing can contradict the report. */
export const settleAnsweredRequest = async (
  context: SettleContext,
  row: ApprovalRow,
  answer: StoredAnswer,
): Promise<void> => {
  if (!isVerifiedByReads(row.route)) return settleAsDone(context, row, 'answer', { answer });
  // The answer is stored before the reads, so that it survives a crash.
  context.table.keepAnswer(row.approval_id, answer);
  await settleByReading(context, row);
};

/** Settles a request that the service refused. If the listing shows the request as done, stores a different outcome. */
export const settleRefusedRequest = async (
  context: SettleContext,
  row: ApprovalRow,
  error: ServiceError,
  answer: StoredAnswer | null,
): Promise<void> => {
  const verdict =
    answer !== null && isVerifiedByReads(row.route) ? await readAfterRefusal(context, row, answer.status) : undefined;
  const { sentence, says } = toProblemView(error);
  const text = verdict?.shows === 'done' ? createRefusedYetDoneOutcome(error) : { code: error.code, sentence, says };
  const outcome = { ...text, url: null };
  applyApprovalEvent(context, row, 'refuse', { ...(answer ? { answer } : {}), outcome });
};

/** After an answer with one of these statuses, a read would also be refused. */
export const unreadableStatuses: readonly number[] = [401, 403, 429];

const readAfterRefusal = async (
  context: SettleContext,
  row: ApprovalRow,
  status: number,
): Promise<Verdict | undefined> => {
  const readings = unreadableStatuses.includes(status) ? null : createOutcomeReads(context, row);
  const verdict = readings ? await readVerdict(context, row, readings) : undefined;
  if (!readings || verdict?.shows !== 'done' || isProvenDone(row, verdict, undefined)) return verdict;
  await context.clock.sleep(context.pacing.getRandomDelayMs('secondReading'));
  return readVerdict(context, row, readings);
};

/** Fails an approval whose request was not sent or could not be prepared. */
export const failUnsentApproval = (context: SettleContext, row: ApprovalRow, error: unknown): void => {
  const { sentence, code, says } = toProblemView(error);
  applyApprovalEvent(context, row, 'refuse', { outcome: { sentence, code, says, url: null } });
};

/** Looks up the outcome of a request that might have been sent. Never sends the request again. */
export const settleInterruptedRequest = async (
  context: SettleContext,
  row: ApprovalRow,
  error?: unknown,
): Promise<void> => {
  // The service answered before the companion quit, so its answer is compared with the listing.
  if (context.table.read(row.approval_id)?.answer) return settleByReading(context, row);
  applyApprovalEvent(context, row, 'interrupt', {
    outcome: createUnconfirmedOutcome(isReconcilableRoute(row.route), error),
  });
  await settleByReading(context, row);
};

/** Settles an approval by reads. If no read succeeds, the approval stays unconfirmed and is looked up again later. */
export const settleByReading = (context: SettleContext, row: ApprovalRow): Promise<void> => {
  const { runningLookups } = context;
  const running =
    runningLookups.get(row.approval_id) ??
    lookUpOutcome(context, row).finally(() => runningLookups.delete(row.approval_id));
  runningLookups.set(row.approval_id, running);
  return running;
};

const lookUpOutcome = async (context: SettleContext, { approval_id: approvalId }: ApprovalRow): Promise<void> => {
  const { table, rounds, lostAnswers } = context;
  const row = table.read(approvalId);
  const round = rounds.findDueRound(approvalId);
  if (!row || !isReconcilableRoute(row.route) || round === null) return;
  const mayRead = createOutcomeReads(context, row) !== null;
  // This must be determined before the reads: the last round is the round that starts after the time limit.
  const isLastRound = lostAnswers.isOver(approvalId, row.sent_at);
  const verdict = await (row.answer
    ? lookUpClaimedSuccess(context, row, { answer: row.answer, round })
    : lookUpLostAnswer(context, row, round));
  const left = table.read(approvalId);
  if (left?.state !== 'unconfirmed') return rounds.forgetRounds(approvalId);
  if (!mayRead) return;
  rounds.noteRound(approvalId, isLastRound);
  if (isLastRound && !areLookupsEnded(left)) endAutomaticLookups(context, left, verdict);
};

/** If nothing could be read after a lost answer, only the person can unlock the listing. */
const endAutomaticLookups = (context: SettleContext, row: ApprovalRow, verdict: Verdict | undefined): void => {
  if (row.answer) applyApprovalEvent(context, row, 'letGo', { outcome: createNeverReadSuccessOutcome() });
  else if (verdict || row.listing_id === null)
    applyApprovalEvent(context, row, 'letGo', { outcome: createInconclusiveOutcome(row.outcome) });
  else return recordLookupsEnded(context, row);
  context.locks.release(row.listing_id, row.approval_id);
};

const recordLookupsEnded = (context: SettleContext, row: ApprovalRow): void => {
  const outcome = createLookupsEndedOutcome(row.outcome);
  // Stores the outcome only once, even if the lookup is repeated.
  if (outcome.says?.key !== row.outcome?.says?.key) applyApprovalEvent(context, row, 'letGo', { outcome });
};

/** Repeats lookups that ended. To be called after another request has read the listing. */
export const resumeEndedLookups = async (context: SettleContext, listingId: string): Promise<void> => {
  const { table, account, rounds } = context;
  const rows = table
    .inState(account(), 'unconfirmed')
    .filter((row) => row.listing_id === listingId && rounds.mayResume(row.approval_id));
  await Promise.all(
    rows.map((row) => {
      rounds.forgetRounds(row.approval_id);
      return settleByReading(context, row);
    }),
  );
};

const listLaterDelays = ({ route }: ApprovalRow) =>
  route === 'deleteListing' ? (['secondReading', 'lastReading'] as const) : (['secondReading'] as const);

/** A single "not found" can be temporary, so two reads in a row must prove a deletion. */
const isProvenDone = ({ route }: ApprovalRow, verdict: Verdict | undefined, before: Verdict | undefined): boolean =>
  verdict?.shows === 'done' && (route !== 'deleteListing' || before?.shows === 'done');

/** Runs one round of reads and returns its last verdict. */
const lookUpLostAnswer = async (
  context: SettleContext,
  row: ApprovalRow,
  round: number,
): Promise<Verdict | undefined> => {
  const { locks, lostAnswers } = context;
  const readings = createOutcomeReads(context, row);
  if (readings === null) return undefined;
  const waits = round > 0 ? listLaterDelays(row) : delaysAfterLostAnswer;
  let before: Verdict | undefined;
  for (const [index, wait] of waits.entries()) {
    await context.clock.sleep(context.pacing.getRandomDelayMs(wait));
    const verdict = await readVerdict(context, row, readings);
    // The account or key changed, so the lookup is repeated when the account is connected again.
    if (!readings.areValid()) return undefined;
    const isLast = index === waits.length - 1 && lostAnswers.isReadable(row.approval_id, row.sent_at);
    // The listing could be read, so other requests need not wait any longer.
    if (verdict !== undefined && isLast) locks.release(row.listing_id, row.approval_id);
    if (verdict && isProvenDone(row, verdict, before)) {
      const answer = { status: 200, headers: {}, body: verdict.body };
      await settleAsDone(context, row, 'confirm', { answer, verdict });
      locks.release(row.listing_id, row.approval_id);
      return verdict;
    }
    // Only the last read can prove that nothing was done.
    if (verdict?.shows === 'undone' && isLast)
      applyApprovalEvent(context, row, 'refute', { outcome: createUndoneOutcome(row.outcome) });
    before = verdict;
  }
  return before;
};

/** Most services show a change at once, so the first read is immediate. */
const lookUpClaimedSuccess = async (
  context: SettleContext,
  row: ApprovalRow,
  { answer, round }: { answer: StoredAnswer; round: number },
): Promise<undefined> => {
  // Later lookups need fewer reads.
  const waits = round > 0 || areLookupsEnded(row) ? listLaterDelays(row) : delaysAfterAnswer;
  const readings = createOutcomeReads(context, row);
  let verdict: Verdict | undefined;
  for (const wait of readings === null ? [] : waits) {
    if (wait !== null) await context.clock.sleep(context.pacing.getRandomDelayMs(wait));
    const before = verdict;
    verdict = readings ? await readVerdict(context, row, readings) : undefined;
    if (!readings?.areValid()) verdict = undefined;
    if (isProvenDone(row, verdict, before) || verdict?.shows === 'nothing') {
      await settleAsDone(context, row, row.state === 'sending' ? 'answer' : 'confirm', { answer, verdict });
      context.locks.release(row.listing_id, row.approval_id);
      return undefined;
    }
  }
  // One "not found" does not prove a deletion, but it does not contradict it either.
  markUnconfirmed(context, row, verdict !== undefined && verdict.shows !== 'done');
  return undefined;
};

/** Records that reads do not confirm the service's answer. Unlocks the listing if it could be read. */
const markUnconfirmed = (context: SettleContext, row: ApprovalRow, isRead: boolean): void => {
  if (isRead && !isContradictedByListing(row))
    applyApprovalEvent(context, row, 'contradict', { outcome: createContradictedOutcome() });
  if (!isRead && row.state === 'sending')
    applyApprovalEvent(context, row, 'interrupt', { outcome: createUnreadSuccessOutcome() });
  if (isRead) context.locks.release(row.listing_id, row.approval_id);
};

const getStateBeforeRequest = ({ subject }: ApprovalRow): KnownStateBefore => {
  if (subject.version !== 2) return {};
  const { soldQuantity } = subject.context;
  return {
    record: subject.listing ?? undefined,
    soldQuantity: typeof soldQuantity === 'number' ? soldQuantity : undefined,
    channels: Object.fromEntries(
      listOtherChannels(subject.context).map(({ channelId, before }) => [channelId, before]),
    ),
  };
};

/** Returns undefined if the read fails. Caches the listing even if the read proves nothing. */
const readVerdict = async (
  context: SettleContext,
  row: ApprovalRow,
  readings: OutcomeReads,
): Promise<Verdict | undefined> => {
  try {
    const verdict = await reconcileByReading(row.subject.request, readings.client, getStateBeforeRequest(row));
    if (verdict.listing && readings.areValid()) context.cacheListing(verdict.listing);
    return verdict;
  } catch (error) {
    context.log('warn', 'listing could not be read after an act', { code: toProblemView(error).code });
    return undefined;
  }
};

/** `verdict` is the read that proves the outcome; without it, the service's answer is the proof. */
const settleAsDone = async (
  context: SettleContext,
  row: ApprovalRow,
  event: 'answer' | 'confirm',
  { answer, verdict }: { answer: StoredAnswer; verdict?: Verdict },
): Promise<void> => {
  const told = createDoneOutcome(row, answer.body, verdict);
  const { url } = told;
  const page = url !== null && isVerifiedByReads(row.route) ? context.pageLinks.noteAnswered(url) : url;
  const outcome = { ...told, url: page };
  // Another call might have settled the approval during the reads.
  if (!applyApprovalEvent(context, row, event, { answer, outcome })) return;
  context.onAnswered(row, answer.body);
  await updateListingAfterSuccess(context, row, verdict?.listing);
};

const updateListingAfterSuccess = async (
  context: SettleContext,
  row: ApprovalRow,
  read: Listing | undefined,
): Promise<void> => {
  const { listing_id: listingId } = row;
  // A listing that was read with another account must not be cached.
  if (listingId === null || !isAccountConnectedWithKey(context, row.account)) return;
  if (row.route === 'deleteListing') return context.forgetListing(listingId);
  try {
    const listing = read ?? (await context.reads.listing(listingId));
    if (!read) context.cacheListing(listing);
    await context.liveCheck.checkLiveListing(row, listing);
  } catch (error) {
    context.log('warn', 'listing could not be read after an act', { code: toProblemView(error).code });
  }
};
