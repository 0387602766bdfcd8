import type { FieldChange, PromptFact, Prompt } from '../../../src/core/storage/tables/approvalRecord.ts';

type Leaf = { path: string[]; value: unknown };

const isRecord = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value) && Object.keys(value).length > 0;

/** Returns the leaves of a body; a list is one leaf. This is written independently of the code that it checks. */
export const listLeaves = (value: unknown, path: string[] = []): Leaf[] => {
  if (value === undefined) return [];
  if (!isRecord(value)) return path.length === 0 && isEmpty(value) ? [] : [{ path, value }];
  return Object.entries(value).flatMap(([name, part]) => listLeaves(part, [...path, name]));
};
const isEmpty = (value: unknown): boolean =>
  value === '' || value === null || (typeof value === 'object' && Object.keys(value).length === 0);

const sortedJson = (value: unknown): string => JSON.stringify(sortKeys(value));
const sortKeys = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.keys(value)
      .toSorted()
      .map((name) => [name, sortKeys(value[name])]),
  );
};

/** The English words for codes. */
const ownWords: Readonly<Record<string, string>> = {
  NEW_OTHER: 'New (other)',
  USED_EXCELLENT: 'Used – excellent',
  USED_GOOD: 'Used – good',
  USED_ACCEPTABLE: 'Used – acceptable',
  FOR_PARTS: 'For parts or not working',
};

/** Returns the words for a code, or the code's own words. */
export const formatCode = (value: string): string => {
  const own = Object.hasOwn(ownWords, value) ? ownWords[value] : undefined;
  if (own !== undefined) return own;
  const words = value.replaceAll('_', ' ').toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
};

/** Every site has a different name. */
const siteWords: Readonly<Record<string, string>> = {
  MKT_US: 'United States',
  MKT_GB: 'United Kingdom',
  MKT_DE: 'Germany',
  MKT_FR: 'France',
  MKT_IT: 'Italy',
  MKT_ES: 'Spain',
  MKT_AT: 'Austria',
  MKT_CH: 'Switzerland',
  MKT_NL: 'Netherlands',
  MKT_BE: 'Belgium',
  MKT_IE: 'Ireland',
  MKT_PL: 'Poland',
  MKT_CA: 'Canada',
  MKT_AU: 'Australia',
  MKT_SE: 'Sweden',
};

/** The English words for values of the interface, by field. */
const wordsOfFields: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  status: { draft: 'Draft', pending_review: 'Ready to review', published: 'Live' },
  action: { confirm: 'Agree to the fee notice', quote: 'Check the fees' },
  intent: { initial: 'Write the listing', adapt_marketplace: 'Adapt it to another site' },
  tier: { pro: 'Pro' },
};

/** The names of ids in the service's answers. An id without a name must be shown unchanged and marked as unknown. */
export type KnownNames = Readonly<Record<string, string>>;
const idFields =
  /^(fulfillmentPolicyId|paymentPolicyId|returnPolicyId|policyId|marketAccountId|templateId|channelId|connectionId|categoryId|userId|listingId|extrasApprovalId)$/;
const formatId = (id: string, names: KnownNames): string | RegExp => {
  const name = Object.hasOwn(names, id) ? names[id] : undefined;
  return name ?? `unknown (“${id}”)`;
};

const formatLanguage = (code: string): string[] => {
  try {
    return [new Intl.DisplayNames('en-GB', { type: 'language', fallback: 'none' }).of(code) ?? code];
  } catch {
    return [];
  }
};
const formatTime = (text: string): string[] =>
  Number.isNaN(Date.parse(text))
    ? []
    : [new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium' }).format(Date.parse(text))];

/** Returns the texts that a prompt may show for a value of this field. */
const listPossibleTexts = (path: readonly string[], value: unknown, names: KnownNames): (string | RegExp)[] => {
  // Fields named by others have no words of ours.
  const field = path[0] === 'itemSpecifics' && path.length > 1 ? '' : (path.at(-1) ?? '');
  if (typeof value === 'string' && value !== '' && idFields.test(field)) return [formatId(value, names)];
  const words = path.length === 1 && Object.hasOwn(wordsOfFields, field) ? wordsOfFields[field] : undefined;
  if (typeof value === 'string' && words && Object.hasOwn(words, value)) return [words[value] ?? ''];
  if (field === 'channels' && Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === 'string'))
    return [value.map((id) => formatId(id, names)).join(' and ')];
  if (value === null) return ['is removed'];
  if (typeof value === 'boolean') return [value ? 'yes' : 'no'];
  if (value === '') return ['(empty)'];
  if (typeof value === 'string') {
    if (/^(listingLanguage|targetLanguage|language)$/.test(field)) return [value, ...formatLanguage(value)];
    if (/^(created|updated|published|ended|sold|connected)At$/.test(field)) return [value, ...formatTime(value)];
    const code = /^(condition|format)$/.test(field) && /^[A-Z][A-Z0-9_]*$/.test(value) ? [formatCode(value)] : [];
    if (/^(marketplaceId|targetMarketplaceId)$/.test(field))
      return [(Object.hasOwn(siteWords, value) ? siteWords[value] : undefined) ?? `unknown (“${value}”)`];
    return [value, ...code];
  }
  if (typeof value === 'number') {
    const cents = Math.abs(value).toFixed(0).padStart(3, '0');
    const money = new RegExp(`${cents.slice(0, -2).replace(/\B(?=(\d{3})+$)/g, ',?')}\\.${cents.slice(-2)}`);
    if (
      /^(packageWeightGrams|(shipping\.)?maxWeightGrams)$/.test(path.join('.')) &&
      Number.isSafeInteger(value) &&
      value >= 0
    )
      return [new RegExp(`(^|\\()${value} g\\)?$`)];
    return /^price$|Cents$|Minor$/.test(field) && Number.isSafeInteger(value) ? [money] : [JSON.stringify(value)];
  }
  return [isEmpty(value) ? 'everything in it is removed' : sortedJson(value)];
};

const matchesLeaf = (text: string, { path, value }: Leaf, names: KnownNames): boolean =>
  listPossibleTexts(path, value, names).some((one) => (typeof one === 'string' ? one === text : one.test(text)));

/** Returns a path in the notation of a prompt, where a plain field is only its name. */
export const formatPath = (key: string): string => (key.startsWith('[') ? key : JSON.stringify([key]));
const getKey = ({ path }: Leaf): string => JSON.stringify(path);
const describeLeaf = (leaf: Leaf, text: string | undefined): string =>
  `${getKey(leaf)} = ${JSON.stringify(leaf.value)} is ${text === undefined ? 'not shown' : `shown as ${JSON.stringify(text)}`}`;

/** Facts of the body have the body's paths; facts of the address have the names of its parts. */
const isOfAddress = ({ key }: Pick<PromptFact, 'key'>): boolean => /^(path|query) /.test(key);
const isOfRequest = ({ namespace }: Pick<PromptFact, 'namespace'>): boolean => namespace === 'request';

type Shown = Pick<Prompt, 'facts' | 'changes'>;

/** Returns the leaves of a body that a prompt does not show, each with the text shown instead. */
export const findUnshown = (body: unknown, { facts, changes }: Shown, names: KnownNames = {}): string[] => {
  const shown = new Map([
    ...facts
      .filter((one) => isOfRequest(one) && !isOfAddress(one))
      .map(({ key, value }) => [formatPath(key), value] as const),
    ...changes.map(({ key, after }) => [formatPath(key), after] as const),
  ]);
  return listLeaves(body)
    .filter((leaf) => !matchesLeaf(shown.get(getKey(leaf)) ?? '\0', leaf, names))
    .map((leaf) => describeLeaf(leaf, shown.get(getKey(leaf))));
};

/** Returns the parts of a request's address that a prompt does not show. */
export const findUnshownAddress = (
  part: 'path' | 'query',
  values: Readonly<Record<string, unknown>>,
  { facts }: Shown,
  names: KnownNames = {},
): string[] => {
  const shown = new Map(facts.filter(isOfRequest).map(({ key, value }) => [key, value]));
  return Object.entries(values).flatMap(([name, value]) => {
    const leaf = { path: [name], value };
    const text = shown.get(`${part} ${name}`);
    return matchesLeaf(text ?? '\0', leaf, names) ? [] : [describeLeaf(leaf, text)];
  });
};

const ofListing = new Set(['listing', 'specifics', 'record']);
const isSet = ({ value }: Leaf): boolean => !isEmpty(value);
/** Facts show every item of a list separately. */
const listingLeaves = (value: unknown, path: string[] = []): Leaf[] => {
  if (!Array.isArray(value) && !isRecord(value)) return [{ path, value }];
  if (isEmpty(value)) return [];
  return Object.entries(value).flatMap(([name, part]) => listingLeaves(part, [...path, name]));
};

/** Returns the leaves of a bound listing that are set but not in any fact. */
export const findMissingFacts = (
  listing: unknown,
  { facts }: Pick<Prompt, 'facts'>,
  names: KnownNames = {},
): string[] => {
  // The number of photos is not a field of the listing.
  const own = facts.filter(
    ({ namespace, key }) => ofListing.has(namespace) && `${namespace} ${key}` !== 'listing photos',
  );
  const shown = new Map(own.map((one) => [formatPath(one.key), one.value]));
  return listingLeaves(listing)
    .filter(isSet)
    .filter((leaf) => !matchesLeaf(shown.get(getKey(leaf)) ?? '\0', leaf, names))
    .map((leaf) => describeLeaf(leaf, shown.get(getKey(leaf))));
};

/** The companion's own fact names, each with the only field that may have this name. */
const ownNames: Record<string, string> = {
  Title: '["title"]',
  Price: '["price"]',
  Quantity: '["quantity"]',
  Condition: '["condition"]',
  Site: '["marketplaceId"]',
  Format: '["format"]',
  'Best Offer': '["bestOffer","enabled"]',
};

const isShadow = ({ namespace, label, key }: PromptFact): boolean => {
  const own = Object.hasOwn(ownNames, label) ? ownNames[label] : undefined;
  return namespace === 'listing' && own !== undefined && own !== formatPath(key);
};
/** Returns the field of a change with one of the companion's own names; changes at another channel contain the name. */
const getNamedField = ({ key, label, labelSays }: Pick<FieldChange, 'key' | 'label' | 'labelSays'>): string => {
  const field = key.startsWith('on ') && labelSays?.key === 'values.fieldOn' ? labelSays.values?.['field'] : labelSays;
  return typeof field === 'object' && 'key' in field ? field.key.replace(/^labels\./, '') : label;
};
/** Returns whether a change uses one of the companion's own names for a different field. */
const isDisguised = (change: FieldChange): boolean =>
  !change.foreign &&
  JSON.stringify(getNamedField(change).split('.')) !== formatPath(change.key.replace(/^on \S+ (?=\S+$)/, ''));

/** The same for a fact without a change; an option of a channel has its name in quotation marks. */
const isDisguisedFact = (fact: PromptFact): boolean =>
  isOfRequest(fact) &&
  !isOfAddress(fact) &&
  !fact.foreign &&
  !/^own /.test(fact.key) &&
  fact.labelSays?.key !== 'values.optionOn' &&
  JSON.stringify(getNamedField(fact).split('.')) !== formatPath(fact.key);

/** Returns what could be mistaken in a prompt: two facts with one key, and own names for other fields. */
export const findMistakable = ({ facts, changes }: Pick<Prompt, 'facts' | 'changes'>): string[] => {
  const keys = [
    ...facts.map(({ namespace, key }) => `${namespace} ${key}`),
    ...changes.map(({ key }) => `sent ${key}`),
  ];
  return [
    ...keys.filter((key, at) => keys.indexOf(key) !== at).map((key) => `twice ${key}`),
    ...facts.filter(isDisguisedFact).map(({ key, label }) => `${key} stands in our words as ${label}`),
    ...facts.filter(isShadow).map(({ key, label }) => `${key} calls itself ${label}`),
    ...changes.filter(isDisguised).map(({ key, label }) => `${key} stands in our words as ${label}`),
  ];
};
