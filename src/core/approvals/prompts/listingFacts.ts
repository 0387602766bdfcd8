import type { Listing } from '../../../contract/index.ts';
import type { PromptFact, Namespace } from '../../storage/tables/approvalRecord.ts';
import { createMessage, type TextName } from '../../../i18n/message.ts';
import { listJsonLeaves, createPathKey, type Leaf } from '../subject.ts';
import { isRecord } from '../../base/json.ts';
import { noIdNames, type IdNames } from './ids.ts';
import {
  createFieldLabel,
  getFormatFieldName,
  getListingTerms,
  createFactLabel,
  formatFieldValue,
  type FormatTerms,
  type ListingTerms,
} from './values.ts';

/** A prompt shows the fields in this order. */
const documentedFields: readonly (readonly [path: string, name: TextName<'facts'>])[] = [
  ['title', 'title'],
  ['price', 'price'],
  ['condition', 'condition'],
  ['conditionDescription', 'conditionDescription'],
  ['quantity', 'quantity'],
  ['format', 'format'],
  ['bestOffer.enabled', 'bestOffer'],
  ['bestOffer.autoAcceptCents', 'autoAccept'],
  ['bestOffer.autoDeclineCents', 'autoDecline'],
  ['packageWeightGrams', 'packageWeight'],
  ['categoryName', 'category'],
  ['marketplaceId', 'site'],
  ['sku', 'sku'],
];
const createDottedPathKey = (path: string): string => createPathKey(path.split('.'));
const factNames = new Map(documentedFields.map(([path, name]) => [createDottedPathKey(path), name]));
const factOrder = new Map(documentedFields.map(([path], at) => [createDottedPathKey(path), at]));

/** Returns whether a prompt shows the value; empty values are not shown. */
export const isValueSet = (value: unknown): boolean =>
  value !== null && value !== '' && (typeof value !== 'object' || Object.keys(value).length > 0) && value !== undefined;

const chooseFactNamespace = (path: string[]): Namespace => {
  if (path[0] === 'itemSpecifics' && path.length > 1) return 'specifics';
  return factNames.has(createPathKey(path)) ? 'listing' : 'record';
};

const createListingFact = ({ path, value }: Leaf, terms: FormatTerms): PromptFact => {
  const namespace = chooseFactNamespace(path);
  const { text, says } = formatFieldValue(getFormatFieldName(path), value, terms);
  return {
    namespace,
    key: createPathKey(path),
    ...formatFactLabel(namespace, path),
    value: text,
    ...(says ? { says } : {}),
  };
};

/** List items have no name, so they use the name of their list. */
const removeListIndex = (path: string[]): string[] => (/^\d+$/.test(path.at(-1) ?? '') ? path.slice(0, -1) : path);

const formatFactLabel = (namespace: Namespace, path: string[]): Pick<PromptFact, 'label' | 'labelSays'> => {
  if (namespace === 'specifics') return { label: path.slice(1).join('.') };
  const own = namespace === 'listing' ? factNames.get(createPathKey(path)) : undefined;
  return own === undefined ? createFieldLabel(removeListIndex(path)) : createFactLabel(own);
};

/** Returns a fact for every value of a listing: documented fields first, then item specifics, then all other fields. */
export const createListingFacts = (listing: Listing, photos: number, names: IdNames): PromptFact[] => {
  const terms = { ...getListingTerms(listing), names };
  const facts = listJsonLeaves(listing)
    .filter(({ value }) => isValueSet(value))
    .map((leaf) => createListingFact(leaf, terms));
  const rankFact = ({ namespace, key }: PromptFact): number =>
    namespace === 'listing' ? (factOrder.get(key) ?? 0) : namespace === 'specifics' ? 100 : 200;
  const count: PromptFact = {
    namespace: 'listing',
    key: 'photos',
    ...createFactLabel('photos'),
    value: String(photos),
    says: createMessage('values.number', { count: photos }),
  };
  const sorted = facts.toSorted((a, b) => rankFact(a) - rankFact(b));
  const own = sorted.filter(({ namespace }) => namespace === 'listing');
  return [...own, ...(photos > 0 ? [count] : []), ...sorted.slice(own.length)];
};

/** Defaults and templates use the currency and units of their site. All other amounts are in USD. */
const getRecordTerms = (namespace: Namespace, record: unknown): ListingTerms => {
  if (namespace !== 'defaults' && namespace !== 'templates') return { currency: 'USD', units: 'metric' };
  const site = isRecord(record) ? record['marketplaceId'] : null;
  return getListingTerms({ marketplaceId: typeof site === 'string' ? site : null });
};

/** Returns a fact for every value of an undocumented record. */
export const createRecordFacts = (namespace: Namespace, record: unknown, names: IdNames = noIdNames): PromptFact[] => {
  const terms = { ...getRecordTerms(namespace, record), names };
  return listJsonLeaves(record)
    .filter(({ value }) => isValueSet(value))
    .map(({ path, value }) => {
      const { text, says } = formatFieldValue(path.join('.'), value, terms);
      return {
        namespace,
        key: createPathKey(path),
        ...createFieldLabel(removeListIndex(path)),
        value: text,
        ...(says ? { says } : {}),
      };
    });
};
