import {
  findRouteAct,
  parseNamedChannels,
  parseChannelStates,
  excludesMarketplace,
  parseServiceSentence,
  type RouteName,
} from '../../../contract/index.ts';
import { core, formatEnglishMessage } from '../../../i18n/english.ts';
import { createMessage, type Message, type MessageValue, type TextName } from '../../../i18n/message.ts';
import { getRequestBody, toRecordOrEmpty } from '../../base/json.ts';
import { createProblemText, notCheckedCode, refusedYetDoneCode, toProblemView } from '../../base/problem.ts';
import { describePersonPage, separatePersonPage } from '../../service/personPages.ts';
import { ServiceError } from '../../service/serviceError.ts';
import type { ApprovalOutcome } from '../../storage/tables/approvalRecord.ts';
import type { ApprovalRow } from '../../storage/tables/approvalsTable.ts';
import { isVerifiedByReads, type Verdict } from './reconcile.ts';

/** Omits URLs that only the person may open, because the ledger can be exported. */
export const toOutcomeFacts = (route: RouteName, outcome: ApprovalOutcome | undefined) =>
  outcome
    ? {
        code: outcome.code,
        url: describePersonPage(route) === null ? outcome.url : null,
        ...(outcome.unseen ? { unseen: outcome.unseen } : {}),
      }
    : {};

type OtherOutcomeText =
  | 'noticeAgreed'
  | 'noticeUnsure'
  | 'refusedYetDone'
  | 'unchecked'
  | 'uncheckedFields'
  | 'uncheckedPart'
  | 'uncheckedUnread';
type DoneText = Exclude<TextName<'outcomes'>, OtherOutcomeText>;
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
const soldTexts: Readonly<Record<string, DoneText>> = { publish: 'publishedSold', end: 'endedSold' };
const doneOnChannelsTexts: Partial<Record<RouteName, DoneText>> = {
  publishChannels: 'liveThere',
  reviseChannels: 'revised',
  endChannels: 'offThere',
  deleteFromChannels: 'offThere',
};

const formatFieldName = (field: string): MessageValue => {
  if (Object.hasOwn(core.labels, field)) return { key: `labels.${field}` };
  return Object.hasOwn(core.facts, field) ? { key: `facts.${field}` } : `“${toQuotableText(field)}”`;
};

const joinFieldNames = (fields: readonly string[]): MessageValue | undefined => {
  const [first, ...more] = fields.map(formatFieldName);
  return first && more.reduce((before, next) => createMessage('values.and', { before, next }), first);
};

/** Returns null if the reads confirm everything. */
const describeUncheckedFields = ({ shows, unseen = [] }: Verdict): Message | null => {
  const fields = joinFieldNames(unseen);
  if (fields !== undefined)
    return createMessage(shows === 'done' ? 'outcomes.uncheckedPart' : 'outcomes.uncheckedFields', { fields });
  return shows === 'nothing' ? createMessage('outcomes.unchecked') : null;
};

/** If reads succeeded, their `verdict` decides the outcome, because the service's answer alone proves nothing. */
export const createDoneOutcome = (
  { route, subject }: ApprovalRow,
  answer: unknown,
  verdict: Verdict | undefined,
): ApprovalOutcome => {
  const body = getRequestBody(subject.request.input);
  const elsewhere = excludesMarketplace(body) ? doneOnChannelsTexts[route] : undefined;
  const unchecked = verdict ? describeUncheckedFields(verdict) : null;
  const sold = verdict?.listing?.status === 'sold' ? soldTexts[findRouteAct(route) ?? 'none'] : undefined;
  const done = elsewhere ?? sold ?? doneTexts[route] ?? 'done';
  const says = unchecked ?? createMessage(`outcomes.${done}`);
  const findUrlIn = (from: unknown) =>
    elsewhere === undefined ? findPageUrl(route, from) : findChannelUrl(body, from);
  // The URL from a read takes precedence over the URL in the answer.
  const url = (isVerifiedByReads(route) ? findUrlIn(verdict?.body) : null) ?? findUrlIn(answer);
  const outcome = { sentence: formatEnglishMessage(says), says, url };
  return unchecked
    ? { ...outcome, code: notCheckedCode, unseen: [...(verdict?.unseen ?? [])] }
    : { ...outcome, code: null };
};

const isPageUrl = (url: unknown): url is string => typeof url === 'string' && /^https?:\/\//.test(url);

const findChannelUrl = (body: unknown, answer: unknown): string | null => {
  const [first] = parseNamedChannels(body) ?? [];
  const url = parseChannelStates(answer).find(({ channelId }) => channelId === first)?.fields['url'];
  return isPageUrl(url) ? url : null;
};

const pageFields = ['marketListingUrl', 'url'] as const;
const findPageUrl = (route: RouteName, body: unknown): string | null => {
  if (describePersonPage(route) !== null) return separatePersonPage(route, body).url;
  if (findRouteAct(route) !== 'publish') return null;
  const fields = toRecordOrEmpty(body);
  return pageFields.map((field) => fields[field]).find(isPageUrl) ?? null;
};

/** Returns whether the body states that nothing was done, whatever the HTTP status is. */
export const isDeniedInBody = (route: RouteName, answer: unknown): boolean => {
  const { success, status } = toRecordOrEmpty(answer);
  return (
    success === false ||
    (isVerifiedByReads(route) && typeof status === 'string' && /^(failed|failure|error)$/i.test(status))
  );
};

/** Creates the error for an answer whose status and body contradict each other. Only a read can show the outcome. */
export const createDeniedAnswerError = (status: number, answer: unknown): ServiceError => {
  const fields = toRecordOrEmpty(answer);
  const sentence = ['error', 'message', 'reason']
    .map((name) => parseServiceSentence(fields[name]))
    .find((found) => found !== null);
  const raw = fields['success'] === false ? 'success: false' : `status: ${String(fields['status'])}`;
  const { code } = createProblemText('UNEXPECTED_ANSWER.strange');
  return new ServiceError({ code, sentence: sentence ?? raw, effect: 'unclear', status });
};

type ServiceReply = { kind: 'nothing' | 'strange' } | { kind: 'words'; said: string };

const maxQuoted = 300;
/** Replaces quotation marks, so that the text cannot end the quotation around it. */
const toQuotableText = (sentence: string): string => {
  const plain = sentence
    .replace(/[“”„‟«»‹›〝〞"]/g, "'")
    .replace(/\s+/g, ' ')
    .trim();
  return plain.length > maxQuoted ? `${plain.slice(0, maxQuoted).toWellFormed()}…` : plain;
};

const parseServiceReply = (error: unknown): ServiceReply => {
  if (!(error instanceof ServiceError) || error.status === 0) return { kind: 'nothing' };
  if (error.says === undefined) return { kind: 'words', said: toQuotableText(error.message) };
  return error.code === 'UNEXPECTED_ANSWER' ? { kind: 'strange' } : { kind: 'words', said: `HTTP ${error.status}` };
};

const replyTexts = {
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

const createReplyOutcome = (said: ServiceReply, name: keyof typeof replyTexts): ApprovalOutcome => {
  const texts = replyTexts[name];
  return createOutcomeWithoutUrl(
    said.kind === 'words' ? createProblemText(texts.words, { said: said.said }) : createProblemText(texts[said.kind]),
  );
};

/** Returns the outcome while a request is looked up. `isKnowable` means that reads can show the outcome. */
export const createUnconfirmedOutcome = (isKnowable: boolean, error: unknown): ApprovalOutcome =>
  createReplyOutcome(parseServiceReply(error), isKnowable ? 'lookedUp' : 'unknowable');

const strangeKeys: readonly string[] = Object.values(replyTexts).map(({ strange }) => `problems.${strange}`);

const recoverServiceReply = (before: ApprovalOutcome | null): ServiceReply => {
  const { key, values } = before?.says ?? { key: '' };
  const said = values?.['said'];
  if (typeof said === 'string') return { kind: 'words', said };
  return { kind: strangeKeys.includes(key) ? 'strange' : 'nothing' };
};

/** Returns the outcome after reads show that the request was not done. `before` is the outcome during the lookup. */
export const createUndoneOutcome = (before: ApprovalOutcome | null): ApprovalOutcome =>
  createReplyOutcome(recoverServiceReply(before), 'undone');

/** Returns the outcome after the automatic lookups end because no read succeeds. */
export const createLookupsEndedOutcome = (before: ApprovalOutcome | null): ApprovalOutcome =>
  createReplyOutcome(recoverServiceReply(before), 'unwatched');

/** Returns the outcome after the last read is inconclusive. */
export const createInconclusiveOutcome = (before: ApprovalOutcome | null): ApprovalOutcome => ({
  ...createReplyOutcome(recoverServiceReply(before), 'unknowable'),
  code: notCheckedCode,
});

/** Returns the outcome of a refused request that the listing shows as done. */
export const createRefusedYetDoneOutcome = (error: unknown): { code: string; sentence: string; says: Message } => {
  const { sentence, says } = toProblemView(error);
  const whole = createMessage('outcomes.refusedYetDone', { why: says ?? sentence });
  return { code: refusedYetDoneCode, sentence: formatEnglishMessage(whole), says: whole };
};

/** Returns the outcome if the service reports success but no read is possible. */
export const createUnreadSuccessOutcome = (): ApprovalOutcome =>
  createOutcomeWithoutUrl(createProblemText('UNCONFIRMED.unread'));
/** Returns the outcome if the service reports success but the last read contradicts it. */
export const createContradictedOutcome = (): ApprovalOutcome =>
  createOutcomeWithoutUrl(createProblemText('CONTRADICTED'));

/** Returns the outcome if the service reports success but no read succeeds for ten minutes. */
export const createNeverReadSuccessOutcome = (): ApprovalOutcome => {
  const says = createMessage('outcomes.uncheckedUnread');
  return createOutcomeWithoutUrl({ sentence: formatEnglishMessage(says), says, code: notCheckedCode });
};

const createOutcomeWithoutUrl = (text: { sentence: string; code: string; says: Message }): ApprovalOutcome => ({
  ...text,
  url: null,
});

/** Returns whether the service reported success but the listing contradicts it. */
export const isContradictedByListing = ({ state, outcome }: Pick<ApprovalRow, 'state' | 'outcome'>): boolean =>
  state === 'unconfirmed' && outcome?.code === 'CONTRADICTED';

/** Returns whether the automatic lookups have ended. The listing is then unlocked, and the request can be repeated. */
export const areLookupsEnded = (approval: Pick<ApprovalRow, 'state' | 'outcome'>): boolean =>
  isContradictedByListing(approval) || (approval.state === 'unconfirmed' && approval.outcome?.code === notCheckedCode);
