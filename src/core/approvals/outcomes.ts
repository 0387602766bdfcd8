import {
  actOf,
  channelsNamed,
  channelStatesIn,
  leavesMarketplace,
  sentenceIn,
  type RouteName,
} from '../../contract/index.ts';
import { core, formatEnglish } from '../../i18n/english.ts';
import { message, type Message, type MessageValue, type TextName } from '../../i18n/message.ts';
import { bodyOf, recordOf } from '../base/json.ts';
import { problemText, problemView } from '../base/problem.ts';
import { pageOf, withoutPage } from '../service/personPages.ts';
import { ServiceError } from '../service/serviceError.ts';
import type { ApprovalOutcome } from '../storage/tables/approvalRecord.ts';
import type { ApprovalRow } from '../storage/tables/approvalsTable.ts';
import { isClaim, type Verdict } from './reconcile.ts';

/**
 * Returns the ledger facts of an outcome. URLs that only the person may open are omitted, because the ledger can be
 * exported.
 */
export const outcomeFacts = (route: RouteName, outcome: ApprovalOutcome | undefined) =>
  outcome
    ? {
        code: outcome.code,
        url: pageOf(route) === null ? outcome.url : null,
        ...(outcome.unseen ? { unseen: outcome.unseen } : {}),
      }
    : {};

type NoDoneText =
  | 'noticeAgreed'
  | 'noticeUnsure'
  | 'refusedYetDone'
  | 'unchecked'
  | 'uncheckedFields'
  | 'uncheckedPart'
  | 'uncheckedUnread';
type DoneText = Exclude<TextName<'outcomes'>, NoDoneText>;
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
/** Texts for an act whose listing is already sold when it is read. */
const soldTexts: Readonly<Record<string, DoneText>> = { publish: 'publishedSold', end: 'endedSold' };
const doneElsewhere: Partial<Record<RouteName, DoneText>> = {
  publishChannels: 'liveThere',
  reviseChannels: 'revised',
  endChannels: 'offThere',
  deleteFromChannels: 'offThere',
};

/** The code of an outcome that the service claims but reads do not show, or show only in part. */
export const notChecked = 'NOT_CHECKED';

/** Returns the label of a known field, or the quoted name of an unknown field. */
const fieldName = (field: string): MessageValue => {
  if (Object.hasOwn(core.labels, field)) return { key: `labels.${field}` };
  return Object.hasOwn(core.facts, field) ? { key: `facts.${field}` } : `“${quotable(field)}”`;
};

const namesOf = (fields: readonly string[]): MessageValue | undefined => {
  const [first, ...more] = fields.map(fieldName);
  return first && more.reduce((before, next) => message('values.and', { before, next }), first);
};

/** Describes what could not be checked; null if reads show everything. */
const uncheckedText = ({ shows, unseen = [] }: Verdict): Message | null => {
  const fields = namesOf(unseen);
  if (fields !== undefined)
    return message(shows === 'done' ? 'outcomes.uncheckedPart' : 'outcomes.uncheckedFields', { fields });
  return shows === 'nothing' ? message('outcomes.unchecked') : null;
};

/**
 * Returns the outcome of a completed act. `verdict` is what reads show of it, because the service's claim alone proves
 * nothing.
 */
export const doneOutcome = (
  { route, subject }: ApprovalRow,
  answer: unknown,
  verdict: Verdict | undefined,
): ApprovalOutcome => {
  const body = bodyOf(subject.request.input);
  const elsewhere = leavesMarketplace(body) ? doneElsewhere[route] : undefined;
  const unchecked = verdict ? uncheckedText(verdict) : null;
  const sold = verdict?.listing?.status === 'sold' ? soldTexts[actOf(route) ?? 'none'] : undefined;
  const done = elsewhere ?? sold ?? doneTexts[route] ?? 'done';
  const says = unchecked ?? message(`outcomes.${done}`);
  const urlIn = (from: unknown) => (elsewhere === undefined ? urlOf(route, from) : urlThere(body, from));
  // The URL of the listing that was read takes precedence over the URL in the answer.
  const url = (isClaim(route) ? urlIn(verdict?.body) : null) ?? urlIn(answer);
  const outcome = { sentence: formatEnglish(says), says, url };
  return unchecked
    ? { ...outcome, code: notChecked, unseen: [...(verdict?.unseen ?? [])] }
    : { ...outcome, code: null };
};

const isPage = (url: unknown): url is string => typeof url === 'string' && /^https?:\/\//.test(url);

const urlThere = (body: unknown, answer: unknown): string | null => {
  const [first] = channelsNamed(body) ?? [];
  const url = channelStatesIn(answer).find(({ channelId }) => channelId === first)?.fields['url'];
  return isPage(url) ? url : null;
};

/** Fields with a URL for the person to open: a live listing, a checkout, the billing pages. */
const pageFields = ['marketListingUrl', 'url'] as const;
const urlOf = (route: RouteName, body: unknown): string | null => {
  if (pageOf(route) !== null) return withoutPage(route, body).url;
  if (actOf(route) !== 'publish') return null;
  const fields = recordOf(body);
  return pageFields.map((field) => fields[field]).find(isPage) ?? null;
};

/** Whether an answer states in its body that nothing was done, whatever its HTTP status. */
export const deniesItself = (route: RouteName, answer: unknown): boolean => {
  const { success, status } = recordOf(answer);
  return (
    success === false || (isClaim(route) && typeof status === 'string' && /^(failed|failure|error)$/i.test(status))
  );
};

/** Creates the error for an answer whose status and body contradict each other. Only a read can tell the outcome. */
export const deniedAnswer = (status: number, answer: unknown): ServiceError => {
  const fields = recordOf(answer);
  const sentence = ['error', 'message', 'reason'].map((name) => sentenceIn(fields[name])).find((one) => one !== null);
  const raw = fields['success'] === false ? 'success: false' : `status: ${String(fields['status'])}`;
  const { code } = problemText('UNEXPECTED_ANSWER.strange');
  return new ServiceError({ code, sentence: sentence ?? raw, effect: 'unclear', status });
};

type Said = { kind: 'nothing' | 'strange' } | { kind: 'words'; said: string };

const maxQuoted = 300;
/** Returns words of the service for use inside quotation marks, which they cannot end. */
const quotable = (sentence: string): string => {
  const plain = sentence
    .replace(/[“”„‟«»‹›〝〞"]/g, "'")
    .replace(/\s+/g, ' ')
    .trim();
  return plain.length > maxQuoted ? `${plain.slice(0, maxQuoted).toWellFormed()}…` : plain;
};

/** Returns what came back for a request with an unknown outcome: nothing, an unreadable answer, or an error text. */
const saidBy = (error: unknown): Said => {
  if (!(error instanceof ServiceError) || error.status === 0) return { kind: 'nothing' };
  if (error.says === undefined) return { kind: 'words', said: quotable(error.message) };
  return error.code === 'UNEXPECTED_ANSWER' ? { kind: 'strange' } : { kind: 'words', said: `HTTP ${error.status}` };
};

/** The problem texts of each situation, by what came back: words of the service, an unreadable answer, or nothing. */
const saidTexts = {
  lookedUp: { words: 'UNCONFIRMED.said', strange: 'UNCONFIRMED.strange', nothing: 'UNCONFIRMED' },
  unknowable: {
    words: 'UNCONFIRMED.unknowableSaid',
    strange: 'UNCONFIRMED.unknowableStrange',
    nothing: 'UNCONFIRMED.unknowable',
  },
  unwatched: {
    words: 'UNCONFIRMED.unwatchedSaid',
    strange: 'UNCONFIRMED.unwatchedStrange',
    nothing: 'UNCONFIRMED.unwatched',
  },
  undone: { words: 'NOT_DONE.said', strange: 'NOT_DONE.strange', nothing: 'NOT_DONE' },
} as const;

const saidOutcome = (said: Said, name: keyof typeof saidTexts): ApprovalOutcome => {
  const texts = saidTexts[name];
  return withoutUrl(
    said.kind === 'words' ? problemText(texts.words, { said: said.said }) : problemText(texts[said.kind]),
  );
};

/** Returns the outcome while a request is looked up, or if it cannot be, with the service's own words if there are any. */
export const unconfirmedOutcome = (isKnowable: boolean, error: unknown): ApprovalOutcome =>
  saidOutcome(saidBy(error), isKnowable ? 'lookedUp' : 'unknowable');

const strangeKeys: readonly string[] = Object.values(saidTexts).map(({ strange }) => `problems.${strange}`);

/** Returns what came back for a request, recovered from the outcome that was stored during the lookup. */
const saidBefore = (before: ApprovalOutcome | null): Said => {
  const { key, values } = before?.says ?? { key: '' };
  const said = values?.['said'];
  if (typeof said === 'string') return { kind: 'words', said };
  return { kind: strangeKeys.includes(key) ? 'strange' : 'nothing' };
};

/** Returns the outcome after reads showed that it was not done; `before` is the outcome during the lookup. */
export const undoneOutcome = (before: ApprovalOutcome | null): ApprovalOutcome =>
  saidOutcome(saidBefore(before), 'undone');

/** Returns the outcome after no read succeeded for so long that the automatic lookups ended. */
export const unwatchedOutcome = (before: ApprovalOutcome | null): ApprovalOutcome =>
  saidOutcome(saidBefore(before), 'unwatched');

/** Returns the outcome after the last read was inconclusive. */
export const unshownOutcome = (before: ApprovalOutcome | null): ApprovalOutcome => ({
  ...saidOutcome(saidBefore(before), 'unknowable'),
  code: notChecked,
});

/** The code of an act that the service refused although the listing shows it as done. */
export const refusedYetDoneCode = 'REFUSED_YET_DONE';
/** Returns the outcome of a refused act that the listing shows as done. */
export const refusedYetDone = (error: unknown): { code: string; sentence: string; says: Message } => {
  const { sentence, says } = problemView(error);
  const whole = message('outcomes.refusedYetDone', { why: says ?? sentence });
  return { code: refusedYetDoneCode, sentence: formatEnglish(whole), says: whole };
};

/** Returns the outcome if the service reports success but no read was possible. */
export const unreadOutcome = (): ApprovalOutcome => withoutUrl(problemText('UNCONFIRMED.unread'));
/** Returns the outcome if the service reports success but the last read contradicts it. */
export const contradictedOutcome = (): ApprovalOutcome => withoutUrl(problemText('CONTRADICTED'));

/** Returns the outcome if the service reports success and no read was possible for ten minutes. */
export const uncheckedUnread = (): ApprovalOutcome => {
  const says = message('outcomes.uncheckedUnread');
  return withoutUrl({ sentence: formatEnglish(says), says, code: notChecked });
};

const withoutUrl = (text: { sentence: string; code: string; says: Message }): ApprovalOutcome => ({
  ...text,
  url: null,
});

/** Whether the service reported success but the listing contradicts it. */
export const isContradicted = ({ state, outcome }: Pick<ApprovalRow, 'state' | 'outcome'>): boolean =>
  state === 'unconfirmed' && outcome?.code === 'CONTRADICTED';

/** Whether the automatic lookups have ended, so that the listing is unlocked and the act may be requested again. */
export const isLetGo = (approval: Pick<ApprovalRow, 'state' | 'outcome'>): boolean =>
  isContradicted(approval) || (approval.state === 'unconfirmed' && approval.outcome?.code === notChecked);
