import type { Listing } from '../../../contract/index.ts';
import { english, inEnglish } from '../../../words/inEnglish.ts';
import { saying, type Saying } from '../../../words/saying.ts';
import { money as moneyWords } from '../../words/money.ts';
import type { Change, Fact, Money, Prompt } from '../approval.ts';
import { canonical } from '../canonical.ts';
import type { Drawn, FirstRequest, Reads } from './prompt.ts';
import { boundListing, codeSays, inWords, targetOf, untitled } from './target.ts';

/** A text of ours, or words of the service's as they are. */
type Said = Saying | string;
const plain = (said: Said): string => (typeof said === 'string' ? said : inEnglish(said));
const ours = (said: Said | null | undefined): Saying | undefined =>
  typeof said === 'string' ? undefined : (said ?? undefined);

/** What a prompt says; what is left out has its plain value. */
type Sheet = {
  act: Said;
  consequence: Said;
  yes: Said;
  /** How it can be undone; left out when it cannot. */
  undo?: Said;
  listing?: Listing;
  /** The thing it is about when that is no listing. */
  subject?: { title: Said; facts: Fact[] };
  changes?: Change[];
  money?: Money;
  feeNotice?: Saying | null;
  first?: FirstRequest[];
  /** What the yes is bound to besides everything that is shown. */
  bound?: Record<string, string>;
};

/** Puts a prompt together. The yes is bound to the listing and to every change and amount that is shown. */
export const sheet = (given: Sheet, reads: Reads): Drawn => {
  const changes = given.changes ?? [];
  const money = given.money ?? null;
  const undo = given.undo ?? saying('prompts.final');
  const prompt: Prompt = {
    act: plain(given.act),
    consequence: plain(given.consequence),
    target: targetFor(given, reads),
    changes,
    money,
    feeNotice: given.feeNotice ? plain(given.feeNotice) : null,
    undo: plain(undo),
    final: given.undo === undefined,
    yes: plain(given.yes),
    says: {
      act: ours(given.act),
      consequence: ours(given.consequence),
      undo: ours(undo),
      yes: ours(given.yes),
      title: titleSays(given),
      feeNotice: ours(given.feeNotice),
    },
  };
  const bound = {
    ...(given.listing ? boundListing(given.listing) : {}),
    ...Object.fromEntries((given.subject?.facts ?? []).map(({ label, value }) => [label, value])),
    ...Object.fromEntries(changes.map(({ label, before, after }) => [`Change of ${label}`, `${before} → ${after}`])),
    ...(money ? boundMoney(money) : {}),
    ...given.bound,
  };
  return { prompt, bound, first: given.first ?? [] };
};

const targetFor = ({ listing, subject }: Sheet, reads: Reads): Prompt['target'] => {
  if (listing) return targetOf(listing, reads);
  return subject ? { listingId: null, title: plain(subject.title), photoUrl: null, facts: subject.facts } : null;
};

const titleSays = ({ listing, subject }: Sheet): Saying | undefined =>
  listing ? (listing.title === null || listing.title === undefined ? untitled : undefined) : ours(subject?.title);

const boundMoney = (money: Money): Record<string, string> => ({
  Fee: feeWords(money),
  'Fee lines': money.lines
    .map(({ name, amountMinor }) => `${name} ${moneyWords(amountMinor, money.currency)}`)
    .join(', '),
});

/** The sum of a prompt in words. */
const feeWords = ({ state, totalMinor, currency }: Money): string => {
  if (state === 'free') return english('values.free');
  return state === 'fee' && totalMinor !== null ? moneyWords(totalMinor, currency) : english('values.unchecked');
};

/** A charge of the service itself, in US dollars as the interface has its prices. */
export const charge = (lines: Money['lines'], reads: Reads): Money => {
  const totalMinor = lines.reduce((sum, { amountMinor }) => sum + amountMinor, 0);
  const state = totalMinor === 0 ? 'free' : 'fee';
  return { state, currency: 'USD', totalMinor, lines, reason: null, quotedAt: reads.now() };
};

type Worded = { text: string; says?: Saying | undefined };

const yesOrNo = (value: boolean): Worded => {
  const says = saying(value ? 'values.true' : 'values.false');
  return { text: inEnglish(says), says };
};

/** A value as a person reads it; codes only where the field has codes, as anything else is somebody's own words. */
const worded = (field: string, value: unknown): Worded => {
  if (value === undefined || value === null) return { text: '' };
  if (typeof value === 'boolean') return yesOrNo(value);
  if (typeof value !== 'string') return { text: canonical(value) };
  const isCode = field === 'format' || field === 'condition';
  return isCode ? { text: inWords(value) ?? '', says: codeSays(value) } : { text: value };
};

const change = (label: string, before: unknown, after: unknown): Change => {
  const [was, is] = [worded(label, before), worded(label, after)];
  const says = was.says || is.says ? { says: { before: was.says, after: is.says } } : {};
  return { label, before: was.text, after: is.text, ...says };
};

const isRecord = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value);

/** Every field that a body sets, before and after, nested ones by their path: nothing is sent that is not shown. */
export const changesIn = (before: unknown, body: unknown, path = ''): Change[] => {
  if (!isRecord(body)) return body === undefined ? [] : [change(path, before, body)];
  return Object.entries(body).flatMap(([field, after]) => {
    const label = path === '' ? field : `${path}.${field}`;
    const was = isRecord(before) ? before[field] : undefined;
    return isRecord(after) ? changesIn(was, after, label) : [change(label, was, after)];
  });
};

/** The fields of an open answer as facts. */
export const factsIn = (value: unknown): Fact[] =>
  changesIn(undefined, value).flatMap(({ label, after, says }) =>
    after === '' ? [] : [{ label, value: after, says: says?.after }],
  );
