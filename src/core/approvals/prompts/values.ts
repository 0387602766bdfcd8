import { findListingCurrency, isPlainRecord, plans } from '../../../contract/index.ts';
import { core, formatEnglishMessage, formatEnglishMoney } from '../../../i18n/english.ts';
import { formatLanguageName } from '../../../i18n/format.ts';
import { type Message, createMessage, type TextName } from '../../../i18n/message.ts';
import { getWeightUnits, type WeightUnits } from '../../../i18n/weights.ts';
import type { FieldChange, PromptFact } from '../../storage/tables/approvalRecord.ts';
import { toCanonicalJson } from '../../base/json.ts';
import { listJsonLeaves, createPathKey, type Leaf } from '../subject.ts';
import { quoteForeignText } from '../../base/messages.ts';
import { findIdKind, formatIdName, noIdNames, type IdNames } from './ids.ts';

/** Returns the name of a site for use after "on". A site that the catalogue does not contain is shown as unknown. */
export const formatSiteName = (site: string): Message =>
  Object.hasOwn(core.sites, site) ? { key: `sites.${site}` } : createMessage('prompts.unknownSite', { site });

/** Returns the name of a site, or "this site" if there is no site. */
export const formatSiteOrThisSite = (site: string | null | undefined): Message =>
  site ? formatSiteName(site) : createMessage('prompts.thisSite');

const formatSiteCountry = (site: string): Message =>
  Object.hasOwn(core.siteNames, site) ? { key: `siteNames.${site}` } : createMessage('values.unknownId', { id: site });

/** `says` is set if the companion wrote the text, so that it can be translated. */
export type ValueText = { text: string; says?: Message | undefined };

const toOwnText = (says: Message): ValueText => ({ text: formatEnglishMessage(says), says });

const isCodeText = (text: string): boolean => /^[A-Z][A-Z0-9_]*$/.test(text);

/** Formats an unknown code as words, such as "Very old" for VERY_OLD. */
const formatUnknownCode = (code: string): string => {
  const words = code.replaceAll('_', ' ').toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
};

export const createFactLabel = (name: TextName<'facts'>): { label: string; labelSays: Message } => ({
  label: core.facts[name],
  labelSays: { key: `facts.${name}` },
});

export const createAmountMessage = (minor: number, currency: string | null): Message =>
  createMessage('values.amount', { amount: { minor, currency } });

const codeFields = /(^|\.)(condition|format)$/;
const siteFields = /(^|\.)(marketplaceId|targetMarketplaceId)$/;
const languageFields = /(^|\.)(listingLanguage|targetLanguage|language)$/;
const timeFields = /(^|\.)(created|updated|published|ended|sold|connected)At$/;
const moneyFields = /(^|\.)(p|suggestedP)rice$|Cents$|Minor$/;
const weightFields = /^(packageWeightGrams|(shipping\.)?maxWeightGrams)$/;
const valueTexts: Readonly<Record<string, Readonly<Record<string, Message>>>> = {
  postage: { flat: createMessage('values.postageFlat'), calculated: createMessage('values.postageCalculated') },
  status: {
    draft: createMessage('values.statusDraft'),
    processing: createMessage('values.statusProcessing'),
    pending_review: createMessage('values.statusPendingReview'),
    published: createMessage('values.statusPublished'),
    ended: createMessage('values.statusEnded'),
    sold: createMessage('values.statusSold'),
    failed: createMessage('values.statusFailed'),
    deleted: createMessage('values.statusDeleted'),
  },
  intent: { initial: createMessage('values.intentInitial'), adapt_marketplace: createMessage('values.intentAdapt') },
  action: { confirm: createMessage('values.actionConfirm'), quote: createMessage('values.actionQuote') },
};

const findValueText = (field: string, value: string): Message | undefined => {
  const name = /(^|\.)postage$/.test(field) ? 'postage' : field;
  const words = Object.hasOwn(valueTexts, name) ? valueTexts[name] : undefined;
  return words && Object.hasOwn(words, value) ? words[value] : undefined;
};

/** Returns the name of a plan; an unknown code stays unchanged. */
export const formatPlanName = (tier: string): string => plans.find(({ code }) => code === tier)?.name ?? tier;

const isUtcTime = (text: string): boolean =>
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(text) && !Number.isNaN(Date.parse(text));

const formatLanguageText = (value: string): ValueText =>
  formatLanguageName('en-GB', value) === null
    ? { text: value }
    : toOwnText(createMessage('values.language', { language: { language: value } }));

const formatStringValue = (field: string, value: string, names: IdNames): ValueText => {
  if (value === '') return toOwnText(createMessage('values.empty'));
  if (siteFields.test(field)) return toOwnText(formatSiteCountry(value));
  const kind = findIdKind(field);
  if (kind !== null) return toOwnText(formatIdName(kind, value, names));
  if (languageFields.test(field)) return formatLanguageText(value);
  if (timeFields.test(field) && isUtcTime(value))
    return toOwnText(createMessage('values.time', { time: { at: Date.parse(value) } }));
  const word = findValueText(field, value);
  if (word) return toOwnText(word);
  if (field === 'tier') return { text: formatPlanName(value) };
  if (!codeFields.test(field)) return { text: value };
  // Only codes are formatted, so that foreign text cannot look like a text of the companion.
  if (!isCodeText(value)) return { text: value };
  return Object.hasOwn(core.values, value) ? toOwnText({ key: `values.${value}` }) : { text: formatUnknownCode(value) };
};

const isTextList = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((entry) => typeof entry === 'string' && entry !== '');

const joinIdNames = (field: string, value: unknown, names: IdNames): Message | undefined => {
  const kind = findIdKind(field);
  if (kind === null || !isTextList(value)) return undefined;
  const [first, ...more] = value.map((id) => formatIdName(kind, id, names));
  return first && more.reduce((before, next) => createMessage('values.and', { before, next }), first);
};

/** The currency of amounts, the units of weights and the names of ids. */
export type FormatTerms = { currency: string | null; units: WeightUnits; names: IdNames };

export type ListingTerms = Pick<FormatTerms, 'currency' | 'units'>;

export const getListingTerms = (listing: Parameters<typeof findListingCurrency>[0]): ListingTerms => ({
  currency: findListingCurrency(listing),
  units: getWeightUnits(listing.marketplaceId),
});

/** Returns the units of the site that the record names. */
export const getRecordUnits = ({ marketplaceId: site }: Readonly<Record<string, unknown>>): WeightUnits =>
  getWeightUnits(typeof site === 'string' ? site : null);

/** The field decides whether a value is a code, an id or an amount; any other value is foreign text. */
export const formatFieldValue = (
  field: string,
  value: unknown,
  { currency = null, units = 'metric', names = noIdNames }: Partial<FormatTerms> = {},
): ValueText => {
  if (value === undefined) return { text: '' };
  if (typeof value === 'boolean') return toOwnText(createMessage(value ? 'values.true' : 'values.false'));
  if (typeof value === 'string') return formatStringValue(field, value, names);
  if (typeof value === 'number' && moneyFields.test(field) && Number.isSafeInteger(value))
    return { text: formatEnglishMoney(value, currency), says: createAmountMessage(value, currency) };
  if (typeof value === 'number' && weightFields.test(field) && Number.isSafeInteger(value) && value >= 0)
    return toOwnText(createMessage('values.weight', { weight: { grams: value, units } }));
  const listed = joinIdNames(field, value, names);
  return listed ? toOwnText(listed) : { text: toCanonicalJson(value) };
};

/** An empty or missing value is shown as a removal. */
const formatSentValue = (field: string, before: unknown, after: unknown, terms: FormatTerms): ValueText => {
  if (after === null) return toOwnText(createMessage('values.removes'));
  if (typeof after === 'object' && Object.keys(after).length === 0)
    return toOwnText(createMessage('values.removesAll'));
  if (after === undefined && before !== undefined) return toOwnText(createMessage('values.removes'));
  return formatFieldValue(field, after, terms);
};

const isCatalogueField = (path: readonly string[]): boolean =>
  path.every((name) => /^[a-z]\w*$/i.test(name)) &&
  /^[a-z]/.test(path[0] ?? '') &&
  Object.hasOwn(core.labels, path.join('.'));

export type FieldLabel = { label: string; labelSays: Message };

export const toFieldLabel = (labelSays: Message): FieldLabel => ({ label: formatEnglishMessage(labelSays), labelSays });

/** Returns the label of a field. A field without a label in the catalogue is shown as unknown, with its quoted name. */
export const createFieldLabel = (path: readonly string[]): FieldLabel => {
  const name = path.join('.');
  if (isCatalogueField(path)) return toFieldLabel({ key: `labels.${name}` });
  const [group, ...specific] = path;
  return toFieldLabel(
    group === 'itemSpecifics' && specific.length > 0
      ? createMessage('values.specific', { name: quoteForeignText(specific.join('.')) })
      : createMessage('values.unknownField', { field: quoteForeignText(name) }),
  );
};

/** Returns the label of a sent field; `foreign` is set if the catalogue has no label. */
export const createSentLabel = (path: readonly string[]): FieldLabel & Pick<PromptFact, 'foreign'> => ({
  ...createFieldLabel(path),
  ...(isCatalogueField(path) ? {} : { foreign: true }),
});

/** `absent` is the text for a value that the service did not return. */
type BeforeTerms = FormatTerms & { absent: Message };

const formatValueBefore = (field: string, before: unknown, absent: Message, terms: FormatTerms): ValueText => {
  if (before === null) return toOwnText(createMessage('values.notSet'));
  return before === undefined ? toOwnText(absent) : formatFieldValue(field, before, terms);
};

type NamedChange = FieldChange & FieldLabel;

const createNamedChange = (path: string[], was: ValueText, is: ValueText): NamedChange => ({
  key: createPathKey(path),
  ...createSentLabel(path),
  before: was.text,
  after: is.text,
  ...(was.says || is.says ? { says: { before: was.says, after: is.says } } : {}),
});

/** A field that is missing in a returned record is not set. If no record was returned, the value is unknown. */
const chooseAbsentText = (before: unknown, absent: Message): Message =>
  isPlainRecord(before) || before === null ? createMessage('values.notSet') : absent;

/** Item specifics get a neutral name, because their own names are foreign text. */
export const getFormatFieldName = (path: readonly string[]): string =>
  path[0] === 'itemSpecifics' && path.length > 1 ? 'specifics' : path.join('.');

const createLeafChange = (path: string[], before: unknown, after: unknown, terms: BeforeTerms): NamedChange => {
  const field = getFormatFieldName(path);
  return createNamedChange(
    path,
    formatValueBefore(field, before, terms.absent, terms),
    formatSentValue(field, before, after, terms),
  );
};

const listChangesAt = (path: string[], before: unknown, body: unknown, terms: BeforeTerms): NamedChange[] => {
  if (!isPlainRecord(body)) return body === undefined ? [] : [createLeafChange(path, before, body, terms)];
  const was = isPlainRecord(before) ? before : {};
  const absent = path.length === 0 ? terms.absent : chooseAbsentText(before, terms.absent);
  const inner = { ...terms, absent };
  const gone = path.length === 0 ? [] : Object.keys(was).filter((field) => !Object.hasOwn(body, field));
  const emptied = Object.keys(body).length === 0 && path.length > 0;
  // The removed values follow in separate lines, so this line shows only an ellipsis.
  const wasEmptied = gone.length > 0 ? { text: '…' } : toOwnText(absent);
  return [
    ...(emptied ? [createNamedChange(path, wasEmptied, formatSentValue(path.join('.'), undefined, body, terms))] : []),
    ...Object.entries(body).flatMap(([field, after]) =>
      listChangesAt([...path, field], Object.hasOwn(was, field) ? was[field] : undefined, after, inner),
    ),
    ...gone
      .flatMap((field) => listJsonLeaves(was[field], [...path, field]))
      .map((leaf) => createLeafChange(leaf.path, leaf.value, undefined, inner)),
  ];
};

/** A nested object replaces the previous object, so fields that it omits are shown as removed. */
export const listBodyChanges = (before: unknown, body: unknown, terms: FormatTerms): NamedChange[] =>
  listChangesAt([], before, body, { ...terms, absent: createMessage('values.unknown') });

/** Returns a fact for every value of a body. Used if the body changes no existing values. */
export const createSentFacts = (body: unknown, terms: FormatTerms): PromptFact[] =>
  (isPlainRecord(body) ? listBodyLeaves(body) : []).map(({ path, value }) => {
    const { text, says } = formatSentValue(getFormatFieldName(path), undefined, value, terms);
    return {
      namespace: 'request',
      key: createPathKey(path),
      ...createSentFactLabel(path, terms.names),
      value: text,
      ...(says ? { says } : {}),
    };
  });

const createSentFactLabel = (
  path: readonly string[],
  names: IdNames,
): Pick<PromptFact, 'label' | 'labelSays' | 'foreign'> => {
  const [group, channelId = '', option = '', ...deeper] = path;
  const isOption = group === 'options' && deeper.length === 0 && /^\w+$/.test(option);
  const channel = isOption ? names.find('channel', channelId) : null;
  if (!channel) return createSentLabel(path);
  return toFieldLabel(createMessage('values.optionOn', { option: quoteForeignText(option), channel }));
};

/** A list is one leaf, because it is sent as a whole. */
const listBodyLeaves = (body: unknown, path: string[] = []): Leaf[] => {
  if (!isPlainRecord(body) || (Object.keys(body).length === 0 && path.length > 0))
    return body === undefined ? [] : [{ path, value: body }];
  return Object.entries(body).flatMap(([name, part]) => listBodyLeaves(part, [...path, name]));
};
