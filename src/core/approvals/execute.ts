import {
  channelsNamed,
  channelStatesIn,
  leavesMarketplace,
  parseInput,
  rawInput,
  type ParsedInput,
  type RouteName,
} from '../../contract/index.ts';
import { pageOf, withoutPage } from '../service/personPages.ts';
import { Problem, problem, problemView, problemText } from '../base/problem.ts';
import { bodyOf, recordOf } from '../base/json.ts';
import { type TextName, message } from '../../i18n/message.ts';
import { formatEnglish } from '../../i18n/english.ts';
import { ServiceError } from '../service/serviceError.ts';
import type { ServiceAnswer } from '../service/serviceClient.ts';
import type { ApprovalOutcome, ApprovalEvent } from '../storage/tables/approvalRecord.ts';
import type { ApprovalRow, StoredAnswer } from '../storage/tables/approvalsTable.ts';
import type { ApprovalsContext } from './approvalsContext.ts';
import { readingWaits } from '../service/pacing/lostAnswers.ts';
import { isReconcilable, reconcile } from './reconcile.ts';
import { isConnectedAs, ownReadings } from './ownReadings.ts';
import type { Hold } from './listingLocks.ts';
import { liveCheck, type LiveCheck } from './liveCheck.ts';
import type { FirstRequest } from './subject.ts';

/** A request that was begun, or that others go before. */
export type Transmission = {
  row: ApprovalRow;
  /** The requests that the same yes also covers, which go first. */
  first: readonly FirstRequest[];
  /** The lock on its listing, which whoever sends it must have. */
  hold: Hold;
  /**
   * Looks again, after the requests that go first: what puts a fresh question in the place of this one where not all is
   * as it was said yes to, and null where it is. Throws where that cannot be told.
   */
  recheckSubject: () => Promise<Supersede | null>;
};

/** Asks anew; `inWords` tells what was done already, of the old question and where no new one can be asked. */
export type Supersede = (inWords: (error: unknown) => Problem) => void;

/** Sends what was approved, once, and finds out what became of it. */
export type Executor = {
  /** Takes an approved request that nothing goes before: whoever gets true sends it, and nobody else does. */
  begin: (row: ApprovalRow) => boolean;
  /**
   * Sends a request to its end. One that others go before stays approved until they are through, as it has not left: it is
   * begun here, and asked again where the process ends before.
   */
  transmit: (transmission: Transmission) => Promise<void>;
  /** Whether this process is sending it; nobody else looks up what became of it. */
  isUnderWay: (approvalId: string) => boolean;
  /** Writes down an end that could not be written when it was known, for want of room. */
  endAgain: (row: ApprovalRow) => Promise<void>;
  /** It may have left, and no answer came: looked up by reading only. */
  interrupted: (row: ApprovalRow) => Promise<void>;
  settle: (row: ApprovalRow) => Promise<void>;
  /** Holds against what is live what could not be read when it went live. */
  checkAgain: () => Promise<void>;
};

/** What the functions that send work with: the engine's context, and what is being sent in this run. */
type ExecuteContext = ApprovalsContext & {
  check: LiveCheck;
  /** What this process is sending. */
  underWay: Set<string>;
  /** Ends that are known and not on disk yet. */
  ends: Map<string, () => Promise<void>>;
  /** Approvals that are being looked up. */
  settling: Map<string, Promise<void>>;
};

export const createExecutor = (engine: ApprovalsContext): Executor => {
  const context: ExecuteContext = {
    ...engine,
    check: liveCheck(engine),
    underWay: new Set(),
    ends: new Map(),
    settling: new Map(),
  };
  return {
    begin: (row) => move(context, row, 'send', {}),
    transmit: (transmission) => transmit(context, transmission),
    isUnderWay: (approvalId) => context.underWay.has(approvalId),
    endAgain: async (row) => {
      const how = context.ends.get(row.approval_id);
      if (how) await end(context, row, how);
    },
    interrupted: (row) => interrupted(context, row),
    settle: (row) => settle(context, row),
    checkAgain: context.check.again,
  };
};

const move = (
  context: ExecuteContext,
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
 * Sends a stored request as it is stored, with the very key that the yes was given for. A listing that nobody holds is
 * never written to.
 */
const call = async (
  context: ExecuteContext,
  { row, hold }: { row: ApprovalRow; hold: Hold },
  { route, input }: FirstRequest,
  once = false,
): Promise<ServiceAnswer<RouteName>> => {
  const parsed = parseInput(route, rawInput.parse(input));
  if (!parsed.ok) throw new Error(`A stored request no longer fits its route: ${parsed.problem.field}`);
  const { key } = row.subject.version === 2 ? row.subject : { key: '' };
  if (row.account !== context.account()) throw notSent();
  const options = { once, keyPrint: key };
  const stored = input as ParsedInput<typeof route>;
  if (row.listing_id !== null) context.moving.written(row.account, bodyOf(input));
  return context.sendApproved(hold, route, stored, options);
};

const end = async ({ ends }: ExecuteContext, row: ApprovalRow, how: () => Promise<void>): Promise<void> => {
  ends.set(row.approval_id, how);
  await how();
  ends.delete(row.approval_id);
};

/** Sends a request to its end. A notice that was agreed to meanwhile is not confirmed twice. */
const transmit = async (context: ExecuteContext, transmission: Transmission): Promise<void> => {
  const { underWay } = context;
  const { approval_id: approvalId } = transmission.row;
  underWay.add(approvalId);
  try {
    await transmitAll(context, transmission);
  } finally {
    underWay.delete(approvalId);
  }
};

const transmitAll = async (context: ExecuteContext, transmission: Transmission): Promise<void> => {
  const { row, first, hold } = transmission;
  const stopped = first.length > 0 ? await goFirst(context, transmission) : null;
  return end(context, row, stopped ?? (await sent(context, row, hold)));
};

/** Sends what goes first and begins what was asked for; answers how it ends where that may not follow, else null. */
const goFirst = async (context: ExecuteContext, transmission: Transmission): Promise<(() => Promise<void>) | null> => {
  try {
    await sendFirst(context, transmission);
    const supersede = await followNotice(context, transmission);
    return supersede && (async () => supersede(noticeAgreed));
  } catch (error) {
    // What was asked for has not left yet, so whatever failed here, it did not happen; what goes first may have.
    return async () => fail(context, transmission.row, 'refuse', { error });
  }
};

/** Sends the notice that goes first. Throws where that failed, with what became of the notice. */
const sendFirst = async (context: ExecuteContext, { row, first, hold }: Transmission): Promise<void> => {
  const { ledger, clock } = context;
  for (const one of first) {
    // On disk before it leaves: an end of the process in between does not hide it.
    ledger.append(clock.now(), 'approval.first_sent', { approvalId: row.approval_id, route: one.route });
    await call(context, { row, hold }, one).catch((error: unknown) => {
      throw error instanceof ServiceError && error.effect === 'unclear' ? afterNotice('noticeUnsure', error) : error;
    });
  }
};

/** Begins what was asked for, now that the notice is agreed to; answers how it is asked anew where something differs. */
const followNotice = async (
  context: ExecuteContext,
  { row, recheckSubject }: Transmission,
): Promise<Supersede | null> => {
  try {
    // That took its time: somebody elsewhere may have changed something meanwhile.
    const supersede = await recheckSubject();
    if (supersede === null && !move(context, row, 'send', {})) throw problem('SUPERSEDED');
    return supersede;
  } catch (error) {
    throw noticeAgreed(error);
  }
};

const noticeAgreed = (error: unknown): Problem => afterNotice('noticeAgreed', error);

/** Why nothing followed a notice, and what became of the notice. */
const afterNotice = (name: 'noticeAgreed' | 'noticeUnsure', error: unknown): Problem => {
  const { code, sentence, says } = problemView(error);
  const whole = message(`outcomes.${name}`, { why: says ?? sentence });
  return new Problem(code, formatEnglish(whole), { says: whole, cause: error });
};

/** Sends what was asked for; answers what is to be written down then. */
const sent = async (context: ExecuteContext, row: ApprovalRow, hold: Hold): Promise<() => Promise<void>> => {
  try {
    const { status, headers, answer } = await call(context, { row, hold }, row.subject.request, true);
    if (recordOf(answer)['success'] === false) throw saidNo(status);
    return () => succeed(context, row, 'answer', { status, headers, body: answer });
  } catch (error) {
    if (error instanceof ServiceError && error.effect !== 'unclear')
      return async () => fail(context, row, 'refuse', { error, answer: answerIn(error) });
    context.lostAnswers.note(row.approval_id, error);
    return () => interrupted(context, row);
  }
};

const succeed = async (
  context: ExecuteContext,
  row: ApprovalRow,
  event: 'answer' | 'confirm',
  answer: StoredAnswer,
): Promise<void> => {
  // Somebody else may have settled it meanwhile: then what is read now is not about this one any more.
  if (!move(context, row, event, { answer, outcome: doneOutcome(row, answer.body) })) return;
  context.answered(row, answer.body);
  await refresh(context, row);
};

/** What the service answered with a refusal; null where the request was refused here. */
const answerIn = ({ status, headers, body }: ServiceError): StoredAnswer | null =>
  status >= 400 ? { status, headers, body: body ?? null } : null;

/** `answer` is the service's to the very request that was asked for: that to a notice before it is none. */
const fail = (
  context: ExecuteContext,
  row: ApprovalRow,
  event: 'refuse' | 'refute',
  { error, answer = null }: { error: unknown; answer?: StoredAnswer | null },
): void => {
  const { sentence, code, says } = problemView(error);
  move(context, row, event, { ...(answer ? { answer } : {}), outcome: { sentence, code, says, url: null } });
};

const interrupted = async (context: ExecuteContext, row: ApprovalRow): Promise<void> => {
  const text = problemText(isReconcilable(row.route) ? 'UNCONFIRMED' : 'UNCONFIRMED.unknowable');
  move(context, row, 'interrupt', { outcome: { ...text, url: null } });
  await settle(context, row);
};

/** Settles an unconfirmed approval by reading only. Without an answer it stays unconfirmed and is looked at again later. */
const settle = (context: ExecuteContext, row: ApprovalRow): Promise<void> => {
  const { settling } = context;
  const running = settling.get(row.approval_id) ?? lookUp(context, row).finally(() => settling.delete(row.approval_id));
  settling.set(row.approval_id, running);
  return running;
};

const lookUp = async (context: ExecuteContext, row: ApprovalRow): Promise<void> => {
  const { clock, locks, lostAnswers, table } = context;
  if (!isReconcilable(row.route)) return;
  const sentAt = table.read(row.approval_id)?.sent_at ?? null;
  // Its time begins now, also where it is asked for only after the readings.
  lostAnswers.isOver(row.approval_id, sentAt);
  const readings = ownReadings(context, row);
  if (readings === null) return;
  for (const [index, wait] of readingWaits.entries()) {
    await clock.sleep(context.pacing.draw(wait));
    const verdict = await reconcile(row.subject.request, readings.client).catch(() => undefined);
    // It is looked up anew, from the first reading on, once its account is there again.
    if (!readings.count()) return;
    const isLast = index === readingWaits.length - 1 && lostAnswers.isReadable(row.approval_id, sentAt);
    // It was read, so the listing is as it is: nobody has to wait for it any longer.
    if (verdict !== undefined && isLast) locks.release(row.listing_id, row.approval_id);
    if (verdict?.done) {
      await succeed(context, row, 'confirm', { status: 200, headers: {}, body: verdict.body });
      return locks.release(row.listing_id, row.approval_id);
    }
    // Only the last of several readings may say that it did not happen.
    if (verdict && isLast) return fail(context, row, 'refute', { error: notDone() });
  }
};

/** Reads the listing again so that caches and items see what the act did to it. */
const refresh = async (context: ExecuteContext, row: ApprovalRow): Promise<void> => {
  const { check } = context;
  const { listing_id: listingId } = row;
  // What another account could see of it is nothing to keep; it is read again when its own is back.
  if (listingId === null || !isConnectedAs(context, row.account)) return;
  if (row.route === 'deleteListing') return context.forget(listingId);
  try {
    const listing = await context.reads.listing(listingId);
    context.keep(listing);
    await check.holdAgainst(row, listing);
  } catch (error) {
    context.log('warn', 'a listing could not be read after an act', { code: problemView(error).code });
  }
};

const notSent = () => new ServiceError({ ...problemText('ACCOUNT_CHANGED'), effect: 'refused', status: 0 });

/** By its status it was done, by its own words it was not: only reading tells. */
const saidNo = (status: number) =>
  new ServiceError({ ...problemText('UNEXPECTED_ANSWER.strange'), effect: 'unclear', status });

const notDone = () =>
  new ServiceError({
    ...problemText('NOT_DONE'),
    effect: 'refused',
    status: 0,
  });

/** The address of a page that only the person may open stays out of the ledger, which is taken out as a file. */
const outcomeFacts = (route: RouteName, outcome: ApprovalOutcome | undefined) =>
  outcome ? { code: outcome.code, url: pageOf(route) === null ? outcome.url : null } : {};

type DoneText = Exclude<TextName<'outcomes'>, 'noticeAgreed' | 'noticeUnsure'>;
const doneTexts: Partial<Record<RouteName, DoneText>> = {
  publishListing: 'published',
  publishChannels: 'published',
  endListing: 'ended',
  endChannels: 'ended',
  deleteListing: 'deleted',
  reviseListing: 'revised',
  reviseChannels: 'revised',
  deleteFromChannels: 'offThere',
  generateListing: 'writing',
  createCheckoutToken: 'checkout',
  createCheckout: 'checkout',
  createPortal: 'billing',
  approveExtras: 'aside',
  bootstrapPolicies: 'policies',
  updateSellerDefaults: 'defaults',
};
/** What is done on other channels than the marketplace, where nothing else was named. */
const doneElsewhere: Partial<Record<RouteName, DoneText>> = {
  publishChannels: 'liveThere',
  reviseChannels: 'revised',
  endChannels: 'offThere',
  deleteFromChannels: 'offThere',
};
const doneOutcome = ({ route, subject }: ApprovalRow, answer: unknown): ApprovalOutcome => {
  const body = bodyOf(subject.request.input);
  const elsewhere = leavesMarketplace(body) ? doneElsewhere[route] : undefined;
  const says = message(`outcomes.${elsewhere ?? doneTexts[route] ?? 'done'}`);
  const url = elsewhere === undefined ? urlOf(route, answer) : urlThere(body, answer);
  return { sentence: formatEnglish(says), says, code: null, url };
};

const isPage = (url: unknown): url is string => typeof url === 'string' && /^https?:\/\//.test(url);

/** The page on the first channel that was named, where it has one. */
const urlThere = (body: unknown, answer: unknown): string | null => {
  const [first] = channelsNamed(body) ?? [];
  const url = channelStatesIn(answer).find(({ channelId }) => channelId === first)?.fields['url'];
  return isPage(url) ? url : null;
};

/** The page that an answer names, for the person to open: a live listing, a checkout, the billing pages. */
const pageFields = ['marketListingUrl', 'url'] as const;
const urlOf = (route: RouteName, body: unknown): string | null => {
  if (pageOf(route) !== null) return withoutPage(route, body).url;
  const fields = recordOf(body);
  return pageFields.map((field) => fields[field]).find(isPage) ?? null;
};
