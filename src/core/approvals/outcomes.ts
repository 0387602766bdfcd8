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

/** The address of a page that only the person may open stays out of the ledger, which is taken out as a file. */
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
/** An act whose listing reads as sold by then. */
const soldTexts: Readonly<Record<string, DoneText>> = { publish: 'publishedSold', end: 'endedSold' };
/** What is done on other channels than the marketplace, where nothing else was named. */
const doneElsewhere: Partial<Record<RouteName, DoneText>> = {
  publishChannels: 'liveThere',
  reviseChannels: 'revised',
  endChannels: 'offThere',
  deleteFromChannels: 'offThere',
};

/** Code of an outcome that the service claims and that reading does not show, or not all of it. */
export const notChecked = 'NOT_CHECKED';

/** A field that the companion has a name for, by that name; any other as it came, in quotation marks. */
const fieldName = (field: string): MessageValue => {
  if (Object.hasOwn(core.labels, field)) return { key: `labels.${field}` };
  return Object.hasOwn(core.facts, field) ? { key: `facts.${field}` } : `“${quotable(field)}”`;
};

const namesOf = (fields: readonly string[]): MessageValue | undefined => {
  const [first, ...more] = fields.map(fieldName);
  return first && more.reduce((before, next) => message('values.and', { before, next }), first);
};

/** What could not be checked, named where it is known; null where reading shows all of it. */
const uncheckedText = ({ shows, unseen = [] }: Verdict): Message | null => {
  const fields = namesOf(unseen);
  if (fields !== undefined)
    return message(shows === 'done' ? 'outcomes.uncheckedPart' : 'outcomes.uncheckedFields', { fields });
  return shows === 'nothing' ? message('outcomes.unchecked') : null;
};

/** How an act ended that was done; `verdict` is what reading shows of it, as the service alone proves nothing. */
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
  // The page of a listing that was read counts for more than the one that the answer claims.
  const url = (isClaim(route) ? urlIn(verdict?.body) : null) ?? urlIn(answer);
  const outcome = { sentence: formatEnglish(says), says, url };
  return unchecked
    ? { ...outcome, code: notChecked, unseen: [...(verdict?.unseen ?? [])] }
    : { ...outcome, code: null };
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
  if (actOf(route) !== 'publish') return null;
  const fields = recordOf(body);
  return pageFields.map((field) => fields[field]).find(isPage) ?? null;
};

/** Answers of acts that say by a word of their own that nothing was done, whatever their status. */
export const deniesItself = (route: RouteName, answer: unknown): boolean => {
  const { success, status } = recordOf(answer);
  return (
    success === false || (isClaim(route) && typeof status === 'string' && /^(failed|failure|error)$/i.test(status))
  );
};

/** By its status it was done, by its own words it was not: only reading tells. */
export const deniedAnswer = (status: number, answer: unknown): ServiceError => {
  const fields = recordOf(answer);
  const sentence = ['error', 'message', 'reason'].map((name) => sentenceIn(fields[name])).find((one) => one !== null);
  const raw = fields['success'] === false ? 'success: false' : `status: ${String(fields['status'])}`;
  const { code } = problemText('UNEXPECTED_ANSWER.strange');
  return new ServiceError({ code, sentence: sentence ?? raw, effect: 'unclear', status });
};

type Said = { kind: 'nothing' | 'strange' } | { kind: 'words'; said: string };

const maxQuoted = 300;
/** Words of the service that stand between our quotation marks: they cannot end the quotation. */
const quotable = (sentence: string): string => {
  const plain = sentence
    .replace(/[“”„‟«»‹›〝〞"]/g, "'")
    .replace(/\s+/g, ' ')
    .trim();
  return plain.length > maxQuoted ? `${plain.slice(0, maxQuoted).toWellFormed()}…` : plain;
};

/** What came back for a request of which nobody knows what became: nothing, something unreadable, or an error in words. */
const saidBy = (error: unknown): Said => {
  if (!(error instanceof ServiceError) || error.status === 0) return { kind: 'nothing' };
  if (error.says === undefined) return { kind: 'words', said: quotable(error.message) };
  return error.code === 'UNEXPECTED_ANSWER' ? { kind: 'strange' } : { kind: 'words', said: `HTTP ${error.status}` };
};

/** What is told of an act by what came back for it: words of the service, something unreadable, or nothing. */
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

/** What is told while it is looked up, or where it cannot be, in the service's own words where it gave some. */
export const unconfirmedOutcome = (isKnowable: boolean, error: unknown): ApprovalOutcome =>
  saidOutcome(saidBy(error), isKnowable ? 'lookedUp' : 'unknowable');

const strangeKeys: readonly string[] = Object.values(saidTexts).map(({ strange }) => `problems.${strange}`);

/** What came back for a request, by what was told of it while it was looked up. */
const saidBefore = (before: ApprovalOutcome | null): Said => {
  const { key, values } = before?.says ?? { key: '' };
  const said = values?.['said'];
  if (typeof said === 'string') return { kind: 'words', said };
  return { kind: strangeKeys.includes(key) ? 'strange' : 'nothing' };
};

/** What is told once reading shows that it was not done; `before` is what was told while it was looked up. */
export const undoneOutcome = (before: ApprovalOutcome | null): ApprovalOutcome =>
  saidOutcome(saidBefore(before), 'undone');

/** What is told where no reading could be made for so long that none is made any more by itself. */
export const unwatchedOutcome = (before: ApprovalOutcome | null): ApprovalOutcome =>
  saidOutcome(saidBefore(before), 'unwatched');

/** What is told where the last reading does not show what became of it. */
export const unshownOutcome = (before: ApprovalOutcome | null): ApprovalOutcome => ({
  ...saidOutcome(saidBefore(before), 'unknowable'),
  code: notChecked,
});

/** Code of an act that the service refused, and that the listing shows as done all the same. */
export const refusedYetDoneCode = 'REFUSED_YET_DONE';
/** The service refused it, and the listing shows it as done all the same. */
export const refusedYetDone = (error: unknown): { code: string; sentence: string; says: Message } => {
  const { sentence, says } = problemView(error);
  const whole = message('outcomes.refusedYetDone', { why: says ?? sentence });
  return { code: refusedYetDoneCode, sentence: formatEnglish(whole), says: whole };
};

/** The service says that it is done, and no reading could be made. */
export const unreadOutcome = (): ApprovalOutcome => withoutUrl(problemText('UNCONFIRMED.unread'));
/** The service says that it is done, and the last reading says otherwise. */
export const contradictedOutcome = (): ApprovalOutcome => withoutUrl(problemText('CONTRADICTED'));

/** The service says that it is done, and for ten minutes no reading could be made. */
export const uncheckedUnread = (): ApprovalOutcome => {
  const says = message('outcomes.uncheckedUnread');
  return withoutUrl({ sentence: formatEnglish(says), says, code: notChecked });
};

const withoutUrl = (text: { sentence: string; code: string; says: Message }): ApprovalOutcome => ({
  ...text,
  url: null,
});

/** Whether an approval is one of which the service says that it is done, and the listing says otherwise. */
export const isContradicted = ({ state, outcome }: Pick<ApprovalRow, 'state' | 'outcome'>): boolean =>
  state === 'unconfirmed' && outcome?.code === 'CONTRADICTED';

/** Whether it is read no more by itself, so that its listing is free and it may be asked for again. */
export const isLetGo = (approval: Pick<ApprovalRow, 'state' | 'outcome'>): boolean =>
  isContradicted(approval) || (approval.state === 'unconfirmed' && approval.outcome?.code === notChecked);
