import { currencyOf, type Listing } from '../../../contract/index.ts';
import type { Fact, Namespace } from '../../storage/tables/approvalRecord.ts';
import { message, type TextName } from '../../../i18n/message.ts';
import { leavesOf, pathKey, type Leaf } from '../subject.ts';
import { isRecord } from '../../base/json.ts';
import { noNames, type Names } from './ids.ts';
import { fieldLabel, fieldOf, ownLabel, valueText } from './values.ts';

/** The documented fields of a listing, in the order in which a prompt shows them. */
const named: readonly (readonly [path: string, name: TextName<'facts'>])[] = [
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
const keyOf = (path: string): string => pathKey(path.split('.'));
const nameOf = new Map(named.map(([path, name]) => [keyOf(path), name]));
const orderOf = new Map(named.map(([path], at) => [keyOf(path), at]));

/** Whether a leaf has a value to show. */
export const isSet = (value: unknown): boolean =>
  value !== null && value !== '' && (typeof value !== 'object' || Object.keys(value).length > 0) && value !== undefined;

const namespaceOf = (path: string[]): Namespace => {
  if (path[0] === 'itemSpecifics' && path.length > 1) return 'specifics';
  return nameOf.has(pathKey(path)) ? 'listing' : 'record';
};

const fact = ({ path, value }: Leaf, currency: string | null, names: Names): Fact => {
  const namespace = namespaceOf(path);
  const { text, says } = valueText(fieldOf(path), value, currency, names);
  return {
    namespace,
    key: pathKey(path),
    ...labelOf(namespace, path),
    value: text,
    ...(says ? { says } : {}),
  };
};

/** Returns the path of the list for an item of a list, because items have no name of their own. */
const withoutPlace = (path: string[]): string[] => (/^\d+$/.test(path.at(-1) ?? '') ? path.slice(0, -1) : path);

const labelOf = (namespace: Namespace, path: string[]): Pick<Fact, 'label' | 'labelSays'> => {
  if (namespace === 'specifics') return { label: path.slice(1).join('.') };
  const own = namespace === 'listing' ? nameOf.get(pathKey(path)) : undefined;
  return own === undefined ? fieldLabel(withoutPlace(path)) : ownLabel(own);
};

/** Returns every leaf with a value as a fact: documented fields first, then item specifics, then the rest. */
export const listingFacts = (listing: Listing, photos: number, names: Names): Fact[] => {
  const currency = currencyOf(listing);
  const facts = leavesOf(listing)
    .filter(({ value }) => isSet(value))
    .map((leaf) => fact(leaf, currency, names));
  const rank = ({ namespace, key }: Fact): number =>
    namespace === 'listing' ? (orderOf.get(key) ?? 0) : namespace === 'specifics' ? 100 : 200;
  const count: Fact = {
    namespace: 'listing',
    key: 'photos',
    ...ownLabel('photos'),
    value: String(photos),
    says: message('values.number', { count: photos }),
  };
  const sorted = facts.toSorted((a, b) => rank(a) - rank(b));
  const own = sorted.filter(({ namespace }) => namespace === 'listing');
  return [...own, ...(photos > 0 ? [count] : []), ...sorted.slice(own.length)];
};

/**
 * Returns the currency of a record. Defaults and templates use the currency of their site; all other amounts are the
 * service's own in USD.
 */
const currencyIn = (namespace: Namespace, record: unknown): string | null => {
  if (namespace !== 'defaults' && namespace !== 'templates') return 'USD';
  const site = isRecord(record) ? record['marketplaceId'] : null;
  return currencyOf({ marketplaceId: typeof site === 'string' ? site : null });
};

/** Returns the leaves of an undocumented service record as facts of a namespace. */
export const recordFacts = (namespace: Namespace, record: unknown, names: Names = noNames): Fact[] => {
  const currency = currencyIn(namespace, record);
  return leavesOf(record)
    .filter(({ value }) => isSet(value))
    .map(({ path, value }) => {
      const { text, says } = valueText(path.join('.'), value, currency, names);
      return {
        namespace,
        key: pathKey(path),
        ...fieldLabel(withoutPlace(path)),
        value: text,
        ...(says ? { says } : {}),
      };
    });
};
