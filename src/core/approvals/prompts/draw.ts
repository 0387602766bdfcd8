import { listing as listingShape, type Listing } from '../../../contract/index.ts';
import { bodyOf, paramsOf, recordOf } from '../../base/json.ts';
import type { Change, Fact, Money, Prompt, Quote, Subject } from '../../storage/tables/approvalRecord.ts';
import { englishText, formatEnglish, formatEnglishMoney } from '../../../i18n/english.ts';
import { message, type Message } from '../../../i18n/message.ts';
import { listingFacts, recordFacts } from './listingFacts.ts';
import type { Moment, Sheet, Wording } from './prompt.ts';
import type { Names } from './ids.ts';
import { mainFactOf } from './mainFact.ts';
import { changesIn, sentFacts } from './values.ts';

const plain = (wording: Wording): string => (typeof wording === 'string' ? wording : formatEnglish(wording));
const ours = (wording: Wording | null | undefined): Message | undefined =>
  typeof wording === 'string' ? undefined : (wording ?? undefined);

export const untitled = message('prompts.untitledDraft');

/** Returns the URL in the window of a bound photo. */
const photoAddress = ({ sha256 }: Subject['photos'][number]): string => `/bound-photos/${sha256}`;

export const listingOf = ({ listing }: Pick<Subject, 'listing'>): Listing => listingShape.parse(listing);

const targetOf = (subject: Subject, { title }: Sheet): Prompt['target'] => {
  const photos = subject.photos.map(photoAddress);
  if (subject.listing) {
    const { listingId, title: own } = listingOf(subject);
    return { listingId, title: own || formatEnglish(untitled), photoUrl: photos[0] ?? null, photos };
  }
  return title === undefined ? null : { listingId: null, title: plain(title), photoUrl: null, photos: [] };
};

const titleSays = (subject: Subject, { title }: Sheet): Message | undefined =>
  subject.listing ? (listingOf(subject).title ? undefined : untitled) : ours(title);

/** Returns facts of the path and query parameters, except the id of a listing that the prompt already shows. */
const addressFacts = ({ request, listing }: Subject, names: Names): Fact[] => {
  const { query = {} } = recordOf(request.input);
  const params = Object.entries(paramsOf(request.input));
  const ids = Object.fromEntries(params.filter(([name]) => listing === null || name !== 'listingId'));
  return Object.entries({ path: ids, query }).flatMap(([part, record]) =>
    // A body field may have the same name.
    recordFacts('request', record, names).map((fact) => ({ ...fact, key: `${part} ${fact.key}` })),
  );
};

/** Returns the body as changes of existing values, and as facts where it changes nothing. */
const sentOf = (body: unknown, sheet: Sheet, names: Names): { facts: Fact[]; changes: Change[] } => {
  const { before, unchanging = [], currency = null } = sheet;
  if (before === undefined) return { facts: sentFacts(body, currency, names), changes: [] };
  const fields = Object.entries(recordOf(body));
  const isChange = ([field]: [string, unknown]): boolean => !unchanging.includes(field);
  return {
    facts: sentFacts(Object.fromEntries(fields.filter((one) => !isChange(one))), currency, names),
    changes: changesIn(before, Object.fromEntries(fields.filter(isChange)), currency, names),
  };
};

/** Throws if two facts of a prompt have the same key: they could be confused. */
const refuseDuplicates = (facts: readonly Fact[], changes: readonly Change[]): void => {
  const keys = [
    ...facts.map(({ namespace, key }) => `${namespace} ${key}`),
    ...changes.map(({ key }) => `change ${key}`),
  ];
  const seen = new Set<string>();
  const twice = keys.find((key) => seen.size === seen.add(key).size);
  if (twice !== undefined) throw new Error(`Two facts of a prompt are both ${twice}.`);
};

/** Renders the prompt. It shows every leaf that is sent, whatever the act's own content contains. */
export const drawSheet = (subject: Subject, sheet: Sheet, names: Names): Prompt => {
  const sent = sentOf(bodyOf(subject.request.input), sheet, names);
  const undo = sheet.undo ?? message('prompts.final');
  const facts = [
    ...(subject.listing ? listingFacts(listingOf(subject), subject.photos.length, names) : []),
    ...addressFacts(subject, names),
    ...sent.facts,
    ...(sheet.facts ?? []),
  ];
  const changes = [...sent.changes, ...(sheet.changes ?? [])];
  refuseDuplicates(facts, changes);
  const mainFact = mainFactOf(sheet, changes);
  return {
    act: plain(sheet.act),
    consequence: plain(sheet.consequence),
    target: targetOf(subject, sheet),
    facts,
    changes,
    money: sheet.money ?? null,
    feeNotice: sheet.feeNotice ? plain(sheet.feeNotice) : null,
    mainFact: mainFact && plain(mainFact),
    undo: plain(undo),
    final: sheet.undo === undefined,
    yes: plain(sheet.yes),
    says: {
      act: ours(sheet.act),
      consequence: ours(sheet.consequence),
      undo: ours(undo),
      yes: ours(sheet.yes),
      title: titleSays(subject, sheet),
      feeNotice: ours(sheet.feeNotice),
      mainFact: ours(mainFact),
    },
  };
};

/** Returns the money of a bound quote, with the time and the reason of the read. */
export const moneyOf = (quote: Quote | null, { readAt, reason, says }: Moment): Money => ({
  state: quote?.state ?? 'unavailable',
  currency: quote?.currency ?? null,
  totalMinor: quote?.totalMinor ?? null,
  lines: quote?.lines ?? [],
  reason,
  ...(says === undefined ? {} : { says }),
  quotedAt: readAt,
});

/** Returns a charge of the service itself, in USD as in the interface. */
export const charge = (lines: Money['lines'], { readAt }: Moment): Money => {
  const totalMinor = lines.reduce((sum, { amountMinor }) => sum + amountMinor, 0);
  const state = totalMinor === 0 ? 'free' : 'fee';
  return { state, currency: 'USD', totalMinor, lines, reason: null, quotedAt: readAt };
};

export const feeText = ({ state, totalMinor, currency }: Pick<Money, 'state' | 'totalMinor' | 'currency'>): string => {
  if (state === 'free') return englishText('values.free');
  return state === 'fee' && totalMinor !== null
    ? formatEnglishMoney(totalMinor, currency)
    : englishText('values.unchecked');
};
