import { listing as listingShape, type Listing } from '../../../contract/index.ts';
import { getRequestBody, getRequestParams, toRecordOrEmpty } from '../../base/json.ts';
import type {
  FieldChange,
  PromptFact,
  PromptMoney,
  Prompt,
  Quote,
  Subject,
} from '../../storage/tables/approvalRecord.ts';
import { formatEnglishText, formatEnglishMessage, formatEnglishMoney } from '../../../i18n/english.ts';
import { createMessage, type Message } from '../../../i18n/message.ts';
import { createListingFacts, createRecordFacts } from './listingFacts.ts';
import type { UnboundPromptInfo, PromptContent, Wording } from './promptDefinition.ts';
import type { IdNames } from './ids.ts';
import { chooseMainFact } from './mainFact.ts';
import { listBodyChanges, createSentFacts, getRecordUnits } from './values.ts';

const formatPlainWording = (wording: Wording): string =>
  typeof wording === 'string' ? wording : formatEnglishMessage(wording);
const toOwnMessage = (wording: Wording | null | undefined): Message | undefined =>
  typeof wording === 'string' ? undefined : (wording ?? undefined);

const untitledListing = createMessage('prompts.untitledDraft');

type RowTitle = { title: string; titleSays?: Message | undefined };

/** Returns the title of a row of a batch. `stored` is the title of its listing when the batch was requested. */
export const getBatchRowTitle = (approval: { prompt: Prompt } | null, stored: string): RowTitle => {
  const { target, says } = approval?.prompt ?? {};
  if (target) return { title: target.title, titleSays: says?.title };
  return stored === ''
    ? { title: formatEnglishMessage(untitledListing), titleSays: untitledListing }
    : { title: stored };
};

const createBoundPhotoPath = ({ sha256 }: Subject['photos'][number]): string => `/bound-photos/${sha256}`;

export const parseSubjectListing = ({ listing }: Pick<Subject, 'listing'>): Listing => listingShape.parse(listing);

const createPromptTarget = (subject: Subject, { title }: PromptContent): Prompt['target'] => {
  const photos = subject.photos.map(createBoundPhotoPath);
  if (subject.listing) {
    const { listingId, title: own } = parseSubjectListing(subject);
    return { listingId, title: own || formatEnglishMessage(untitledListing), photoUrl: photos[0] ?? null, photos };
  }
  return title === undefined ? null : { listingId: null, title: formatPlainWording(title), photoUrl: null, photos: [] };
};

const createTitleMessage = (subject: Subject, { title }: PromptContent): Message | undefined =>
  subject.listing ? (parseSubjectListing(subject).title ? undefined : untitledListing) : toOwnMessage(title);

/** Omits the listing id if the prompt already shows the listing. */
const createParameterFacts = ({ request, listing }: Subject, names: IdNames): PromptFact[] => {
  const { query = {} } = toRecordOrEmpty(request.input);
  const params = Object.entries(getRequestParams(request.input));
  const ids = Object.fromEntries(params.filter(([name]) => listing === null || name !== 'listingId'));
  return Object.entries({ path: ids, query }).flatMap(([part, record]) =>
    // A body field can have the same name, so the key also names the part of the request.
    createRecordFacts('request', record, names).map((fact) => ({ ...fact, key: `${part} ${fact.key}` })),
  );
};

const splitSentBody = (
  body: unknown,
  sheet: PromptContent,
  names: IdNames,
): { facts: PromptFact[]; changes: FieldChange[] } => {
  const { before, unchanging = [], currency = null } = sheet;
  const terms = { currency, units: getRecordUnits({ ...before, ...toRecordOrEmpty(body) }), names };
  if (before === undefined) return { facts: createSentFacts(body, terms), changes: [] };
  const fields = Object.entries(toRecordOrEmpty(body));
  const isChangedField = ([field]: [string, unknown]): boolean => !unchanging.includes(field);
  return {
    facts: createSentFacts(Object.fromEntries(fields.filter((field) => !isChangedField(field))), terms),
    changes: listBodyChanges(before, Object.fromEntries(fields.filter(isChangedField)), terms),
  };
};

/** Facts with equal keys could be confused. */
const refuseDuplicateFacts = (facts: readonly PromptFact[], changes: readonly FieldChange[]): void => {
  const keys = [
    ...facts.map(({ namespace, key }) => `${namespace} ${key}`),
    ...changes.map(({ key }) => `change ${key}`),
  ];
  const seen = new Set<string>();
  const twice = keys.find((key) => seen.size === seen.add(key).size);
  if (twice !== undefined) throw new Error(`Two facts of a prompt are both ${twice}.`);
};

/** Renders the prompt. It always shows every value that is sent. */
export const renderPromptContent = (subject: Subject, sheet: PromptContent, names: IdNames): Prompt => {
  const sent = splitSentBody(getRequestBody(subject.request.input), sheet, names);
  const undo = sheet.undo ?? createMessage('prompts.final');
  const facts = [
    ...(subject.listing ? createListingFacts(parseSubjectListing(subject), subject.photos.length, names) : []),
    ...createParameterFacts(subject, names),
    ...sent.facts,
    ...(sheet.facts ?? []),
  ];
  const changes = [...sent.changes, ...(sheet.changes ?? [])];
  refuseDuplicateFacts(facts, changes);
  const mainFact = chooseMainFact(sheet, changes);
  return {
    act: formatPlainWording(sheet.act),
    consequence: formatPlainWording(sheet.consequence),
    target: createPromptTarget(subject, sheet),
    facts,
    changes,
    money: sheet.money ?? null,
    feeNotice: sheet.feeNotice ? formatPlainWording(sheet.feeNotice) : null,
    mainFact: mainFact && formatPlainWording(mainFact),
    undo: formatPlainWording(undo),
    final: sheet.undo === undefined,
    yes: formatPlainWording(sheet.yes),
    says: {
      act: toOwnMessage(sheet.act),
      consequence: toOwnMessage(sheet.consequence),
      undo: toOwnMessage(undo),
      yes: toOwnMessage(sheet.yes),
      title: createTitleMessage(subject, sheet),
      feeNotice: toOwnMessage(sheet.feeNotice),
      mainFact: toOwnMessage(mainFact),
    },
  };
};

/** Returns the money part of a prompt from a bound quote. */
export const toPromptMoney = (quote: Quote | null, { readAt, reason, says }: UnboundPromptInfo): PromptMoney => ({
  state: quote?.state ?? 'unavailable',
  currency: quote?.currency ?? null,
  totalMinor: quote?.totalMinor ?? null,
  lines: quote?.lines ?? [],
  reason,
  ...(says === undefined ? {} : { says }),
  quotedAt: readAt,
});

/** Returns a charge of the service itself, which is always in USD. */
export const createServiceCharge = (lines: PromptMoney['lines'], { readAt }: UnboundPromptInfo): PromptMoney => {
  const totalMinor = lines.reduce((sum, { amountMinor }) => sum + amountMinor, 0);
  const state = totalMinor === 0 ? 'free' : 'fee';
  return { state, currency: 'USD', totalMinor, lines, reason: null, quotedAt: readAt };
};

export const formatFeeText = ({
  state,
  totalMinor,
  currency,
}: Pick<PromptMoney, 'state' | 'totalMinor' | 'currency'>): string => {
  if (state === 'free') return formatEnglishText('values.free');
  return state === 'fee' && totalMinor !== null
    ? formatEnglishMoney(totalMinor, currency)
    : formatEnglishText('values.unchecked');
};
