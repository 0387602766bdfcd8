import { isPlainRecord, plans } from '../../../contract/index.ts';
import { core, formatEnglish, formatEnglishMoney } from '../../../i18n/english.ts';
import { formatLanguage } from '../../../i18n/format.ts';
import { type Message, message, type TextName } from '../../../i18n/message.ts';
import type { Change, Fact } from '../../storage/tables/approvalRecord.ts';
import { canonical } from '../../base/json.ts';
import { leavesOf, pathKey, type Leaf } from '../subject.ts';
import { quotedWhole } from './quotes.ts';
import { idKindOf, idSays, noNames, type Names } from './ids.ts';

/** Returns the name of a site for use after "on"; a site without a name in the catalogue is shown as unknown. */
export const siteName = (site: string): Message =>
  Object.hasOwn(core.sites, site) ? { key: `sites.${site}` } : message('prompts.unknownSite', { site });

/** Returns the name of a site, or "this site" if none is given. */
export const siteOr = (site: string | null | undefined): Message =>
  site ? siteName(site) : message('prompts.thisSite');

/** Returns the country name of a site; a site without a name in the catalogue is shown as unknown. */
const siteCountry = (site: string): Message =>
  Object.hasOwn(core.siteNames, site) ? { key: `siteNames.${site}` } : message('values.unknownId', { id: site });

/** A value as text; `says` is set if the text is the companion's own and can be translated. */
export type ValueText = { text: string; says?: Message | undefined };

const ours = (says: Message): ValueText => ({ text: formatEnglish(says), says });

const isCode = (text: string): boolean => /^[A-Z][A-Z0-9_]*$/.test(text);

/** Formats an unknown code as words: VERY_OLD becomes "Very old". */
const codeWords = (code: string): string => {
  const words = code.replaceAll('_', ' ').toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
};

export const ownLabel = (name: TextName<'facts'>): { label: string; labelSays: Message } => ({
  label: core.facts[name],
  labelSays: { key: `facts.${name}` },
});

export const amount = (minor: number, currency: string | null): Message =>
  message('values.amount', { amount: { minor, currency } });

const codeFields = /(^|\.)(condition|format)$/;
const siteFields = /(^|\.)(marketplaceId|targetMarketplaceId)$/;
const languageFields = /(^|\.)(listingLanguage|targetLanguage|language)$/;
/** Timestamps that the service sets on its records. */
const timeFields = /(^|\.)(created|updated|published|ended|sold|connected)At$/;
const moneyFields = /(^|\.)(p|suggestedP)rice$|Cents$|Minor$/;
/** Texts for values of the interface and of the practice service, by field. */
const fieldWords: Readonly<Record<string, Readonly<Record<string, Message>>>> = {
  postage: { flat: message('values.postageFlat'), calculated: message('values.postageCalculated') },
  status: {
    draft: message('values.statusDraft'),
    processing: message('values.statusProcessing'),
    pending_review: message('values.statusPendingReview'),
    published: message('values.statusPublished'),
    ended: message('values.statusEnded'),
    sold: message('values.statusSold'),
    failed: message('values.statusFailed'),
    deleted: message('values.statusDeleted'),
  },
  intent: { initial: message('values.intentInitial'), adapt_marketplace: message('values.intentAdapt') },
  action: { confirm: message('values.actionConfirm'), quote: message('values.actionQuote') },
};

const wordOf = (field: string, value: string): Message | undefined => {
  const name = /(^|\.)postage$/.test(field) ? 'postage' : field;
  const words = Object.hasOwn(fieldWords, name) ? fieldWords[name] : undefined;
  return words && Object.hasOwn(words, value) ? words[value] : undefined;
};

/** Returns the name of a plan in the interface; any other code stays unchanged. */
export const planName = (tier: string): string => plans.find(({ code }) => code === tier)?.name ?? tier;

const isTime = (text: string): boolean =>
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(text) && !Number.isNaN(Date.parse(text));

/** Returns the name of a language; a text that is not a language code stays unchanged. */
const languageText = (value: string): ValueText =>
  formatLanguage('en-GB', value) === null
    ? { text: value }
    : ours(message('values.language', { language: { language: value } }));

const stringText = (field: string, value: string, names: Names): ValueText => {
  if (value === '') return ours(message('values.empty'));
  if (siteFields.test(field)) return ours(siteCountry(value));
  const kind = idKindOf(field);
  if (kind !== null) return ours(idSays(kind, value, names));
  if (languageFields.test(field)) return languageText(value);
  if (timeFields.test(field) && isTime(value)) return ours(message('values.time', { time: { at: Date.parse(value) } }));
  const word = wordOf(field, value);
  if (word) return ours(word);
  if (field === 'tier') return { text: planName(value) };
  if (!codeFields.test(field)) return { text: value };
  // Only a code may become a text of the companion; other unchanged values could imitate one.
  if (!isCode(value)) return { text: value };
  return Object.hasOwn(core.values, value) ? ours({ key: `values.${value}` }) : { text: codeWords(value) };
};

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string' && one !== '');

/** Returns a list of ids as names; undefined for any other list. */
const namesOf = (field: string, value: unknown, names: Names): Message | undefined => {
  const kind = idKindOf(field);
  if (kind === null || !isTexts(value)) return undefined;
  const [first, ...more] = value.map((id) => idSays(kind, id, names));
  return first && more.reduce((before, next) => message('values.and', { before, next }), first);
};

/** Formats a leaf. Codes, ids and amounts are formatted only in fields that contain them; any other value is foreign text. */
export const valueText = (
  field: string,
  value: unknown,
  currency: string | null,
  names: Names = noNames,
): ValueText => {
  if (value === undefined) return { text: '' };
  if (typeof value === 'boolean') return ours(message(value ? 'values.true' : 'values.false'));
  if (typeof value === 'string') return stringText(field, value, names);
  if (typeof value === 'number' && moneyFields.test(field) && Number.isSafeInteger(value))
    return { text: formatEnglishMoney(value, currency), says: amount(value, currency) };
  const listed = namesOf(field, value, names);
  return listed ? ours(listed) : { text: canonical(value) };
};

/** Formats a sent value: an empty or missing value is shown as a removal. */
const sentText = (field: string, before: unknown, after: unknown, { currency, names }: Terms): ValueText => {
  if (after === null) return ours(message('values.removes'));
  if (typeof after === 'object' && Object.keys(after).length === 0) return ours(message('values.removesAll'));
  if (after === undefined && before !== undefined) return ours(message('values.removes'));
  return valueText(field, after, currency, names);
};

/** Whether the catalogue has a label for exactly this path. */
const isOwnField = (path: readonly string[]): boolean =>
  path.every((name) => /^[a-z]\w*$/i.test(name)) &&
  /^[a-z]/.test(path[0] ?? '') &&
  Object.hasOwn(core.labels, path.join('.'));

/** The label of a field: in English, and as a message to translate. */
export type FieldLabel = { label: string; labelSays: Message };

export const labelOf = (labelSays: Message): FieldLabel => ({ label: formatEnglish(labelSays), labelSays });

/** Returns the label of a field; an unknown field is shown as unknown, with its quoted name. */
export const fieldLabel = (path: readonly string[]): FieldLabel => {
  const name = path.join('.');
  if (isOwnField(path)) return labelOf({ key: `labels.${name}` });
  const [group, ...specific] = path;
  return labelOf(
    group === 'itemSpecifics' && specific.length > 0
      ? message('values.specific', { name: quotedWhole(specific.join('.')) })
      : message('values.unknownField', { field: quotedWhole(name) }),
  );
};

/** Returns the label of a sent field; `foreign` if the catalogue has no label. */
export const sentLabel = (path: readonly string[]): FieldLabel & Pick<Fact, 'foreign'> => ({
  ...fieldLabel(path),
  ...(isOwnField(path) ? {} : { foreign: true }),
});

type Terms = { currency: string | null; names: Names };
/** `absent` is the text for a value that the service did not return. */
type Before = Terms & { absent: Message };

/** Formats the value before a change; `absent` is the text for a value that the service did not return. */
const beforeText = (field: string, before: unknown, absent: Message, { currency, names }: Terms): ValueText => {
  if (before === null) return ours(message('values.notSet'));
  return before === undefined ? ours(absent) : valueText(field, before, currency, names);
};

type NamedChange = Change & FieldLabel;

const change = (path: string[], was: ValueText, is: ValueText): NamedChange => ({
  key: pathKey(path),
  ...sentLabel(path),
  before: was.text,
  after: is.text,
  ...(was.says || is.says ? { says: { before: was.says, after: is.says } } : {}),
});

/** A field missing from a returned record is not set. Otherwise its value is unknown. */
const absentIn = (before: unknown, absent: Message): Message =>
  isPlainRecord(before) || before === null ? message('values.notSet') : absent;

/**
 * Returns the field name by which a value is formatted. Item specifics get a neutral name, because their names are foreign.
 */
export const fieldOf = (path: readonly string[]): string =>
  path[0] === 'itemSpecifics' && path.length > 1 ? 'specifics' : path.join('.');

const leafChange = (path: string[], before: unknown, after: unknown, terms: Before): NamedChange => {
  const field = fieldOf(path);
  return change(path, beforeText(field, before, terms.absent, terms), sentText(field, before, after, terms));
};

const changesAt = (path: string[], before: unknown, body: unknown, terms: Before): NamedChange[] => {
  if (!isPlainRecord(body)) return body === undefined ? [] : [leafChange(path, before, body, terms)];
  const was = isPlainRecord(before) ? before : {};
  const absent = path.length === 0 ? terms.absent : absentIn(before, terms.absent);
  const inner = { ...terms, absent };
  const gone = path.length === 0 ? [] : Object.keys(was).filter((field) => !Object.hasOwn(body, field));
  const emptied = Object.keys(body).length === 0 && path.length > 0;
  // The removed values have lines of their own.
  const wasEmptied = gone.length > 0 ? { text: '…' } : ours(absent);
  return [
    ...(emptied ? [change(path, wasEmptied, sentText(path.join('.'), undefined, body, terms))] : []),
    ...Object.entries(body).flatMap(([field, after]) =>
      changesAt([...path, field], Object.hasOwn(was, field) ? was[field] : undefined, after, inner),
    ),
    ...gone
      .flatMap((field) => leavesOf(was[field], [...path, field]))
      .map((leaf) => leafChange(leaf.path, leaf.value, undefined, inner)),
  ];
};

/**
 * Returns every leaf that a body sends, before and after, with its path: nothing is sent without being shown.
 * Fields missing from a nested object are shown as removed, because the object replaces the previous one.
 * Previous values that the service does not return are shown as unknown.
 */
export const changesIn = (
  before: unknown,
  body: unknown,
  currency: string | null = null,
  names: Names = noNames,
): NamedChange[] => changesAt([], before, body, { currency, names, absent: message('values.unknown') });

/** Returns the leaves of a body that changes no existing values, each as a fact. */
export const sentFacts = (body: unknown, currency: string | null, names: Names): Fact[] =>
  (isPlainRecord(body) ? leavesOfBody(body) : []).map(({ path, value }) => {
    const { text, says } = sentText(fieldOf(path), undefined, value, { currency, names });
    return {
      namespace: 'request',
      key: pathKey(path),
      ...factLabel(path, names),
      value: text,
      ...(says ? { says } : {}),
    };
  });

/** Returns the label of a field that the request sets, or of a channel option. */
const factLabel = (path: readonly string[], names: Names): Pick<Fact, 'label' | 'labelSays' | 'foreign'> => {
  const [group, channelId = '', option = '', ...deeper] = path;
  const isOption = group === 'options' && deeper.length === 0 && /^\w+$/.test(option);
  const channel = isOption ? names.find('channel', channelId) : null;
  if (!channel) return sentLabel(path);
  return labelOf(message('values.optionOn', { option: quotedWhole(option), channel }));
};

/** Returns the leaves of a body. A list is one leaf, because it is sent as a whole; an empty body has no leaves. */
const leavesOfBody = (body: unknown, path: string[] = []): Leaf[] => {
  if (!isPlainRecord(body) || (Object.keys(body).length === 0 && path.length > 0))
    return body === undefined ? [] : [{ path, value: body }];
  return Object.entries(body).flatMap(([name, part]) => leavesOfBody(part, [...path, name]));
};
