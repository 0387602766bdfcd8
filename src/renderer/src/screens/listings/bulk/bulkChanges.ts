import { findListingCurrency, editableStatuses, type ListingChanges } from '../../../../../contract/index.ts';
import { getCurrencyFormat } from '../../../../../i18n/format.ts';
import { convertHtmlToText } from '../../../../../text/htmlText.ts';
import type { Listing, ListingRow } from '../../../api/call.ts';
import { formatCents, formatNumber } from '../../../components/text/format.ts';
import { formatCondition } from '../../../components/text/formatCondition.ts';
import { getWeightUnits } from '../../../../../i18n/weights.ts';
import { formatWeight } from '../../../components/text/packedWeight.ts';
import { getCurrentLocale, t } from '../../../i18n.ts';
import { applyPriceRule, type NoPriceReason, type PriceRule } from './priceRules.ts';

export const bulkFields = [
  'price',
  'quantity',
  'condition',
  'categoryId',
  'packageWeightGrams',
  'itemSpecifics',
  'title',
  'description',
  'sku',
  'bestOffer',
] as const;
export type BulkField = (typeof bulkFields)[number];

export const numericFields: readonly BulkField[] = ['price', 'quantity', 'packageWeightGrams'];

/** A revision of a live listing can change these fields. */
const liveFields: readonly BulkField[] = ['price', 'quantity', 'title', 'description', 'sku', 'bestOffer'];

type TextChange = { how: 'start' | 'end' | 'replace'; text: string; by: string };

/** Money and percentages are in hundredths. */
export type BulkRule =
  | { field: 'price'; rule: PriceRule; medians: ReadonlyMap<string, number | null> }
  | { field: 'quantity' | 'packageWeightGrams'; value: number }
  /** `accepted` has the accepted conditions of each category id. A category without an entry accepts all conditions. */
  | { field: 'condition'; value: string; accepted: ReadonlyMap<string, readonly string[]> }
  | { field: 'categoryId'; value: string; name: string; site: string | null }
  | { field: 'itemSpecifics'; name: string; value: string }
  /** `longest` is the maximum length of a title in characters; null if unknown. */
  | ({ field: 'title'; longest: number | null } & TextChange)
  | ({ field: 'description' } & TextChange)
  | { field: 'sku'; value: string }
  | { field: 'bestOffer'; enabled: boolean; acceptPercent: number | null; declinePercent: number | null };

export type SkipReason =
  | NoPriceReason
  | 'notRead'
  | 'notEditable'
  | 'liveFixed'
  | 'auction'
  | 'same'
  | 'notThere'
  | 'tooLong'
  | 'conditionNotTaken'
  | 'otherSite'
  | 'changedSince'
  | 'changedMeanwhile'
  | 'noneBefore';

/** `listing` is null until it has been read. */
export type BulkTarget = { row: ListingRow; listing: Listing | null };
/** `body` is the change, and `old` undoes the change; null if that is impossible. */
export type BulkChange = {
  row: ListingRow;
  live: boolean;
  /** Whether the person must approve the change first. Offers can sell an item, so this applies to drafts too. */
  asks: boolean;
  before: string;
  after: string;
  body: ListingChanges;
  old: ListingChanges | null;
  /** The values before the change. If the listing has other values later, the change is stale. */
  seen: string;
};
export type BulkPlan = { changes: BulkChange[]; left: { row: ListingRow; why: SkipReason }[] };

const escapeHtmlText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** An HTML entity counts as one letter. */
const splitHtmlLetters = (part: string): { seen: string; raw: string }[] =>
  (part.match(/&(?:#\d+|#x[\da-f]+|[a-z][a-z\d]*);|[\s\S]/gi) ?? []).map((raw) => ({
    seen: raw.length > 1 ? convertHtmlToText(raw) || ' ' : raw,
    raw,
  }));

const replaceInTextNode = (part: string, from: string, to: string): string => {
  const letters = splitHtmlLetters(part);
  let written = '';
  for (let at = 0; at < letters.length;) {
    let end = at;
    let seen = '';
    while (end < letters.length && seen.length < from.length) seen += letters[end++]?.seen ?? '';
    const isFound = seen === from;
    written += isFound ? escapeHtmlText(to) : (letters[at]?.raw ?? '');
    at = isFound ? end : at + 1;
  }
  return written;
};

/** Never replaces text inside a tag or in a part of an entity. */
const replaceVisibleHtml = (html: string, from: string, to: string): string =>
  html
    .split(/(<[^>]*>)/)
    .map((part) => (part.startsWith('<') ? part : replaceInTextNode(part, from, to)))
    .join('');

type TextFieldRule = Extract<BulkRule, { field: 'title' | 'description' }>;

const changeTitleText = (title: string, { how, text, by }: TextChange): string => {
  if (how === 'replace')
    return title
      .replaceAll(text, () => by)
      .replace(/\s+/g, ' ')
      .trim();
  return (how === 'start' ? `${text.trim()} ${title}` : `${title} ${text.trim()}`).trim();
};

const changeDescriptionHtml = (html: string, { how, text, by }: TextChange): string => {
  if (how === 'replace') return replaceVisibleHtml(html, text, by);
  const paragraph = `<p>${escapeHtmlText(text.trim())}</p>`;
  return how === 'start' ? paragraph + html : html + paragraph;
};

const planTextChange = (listing: Listing, rule: TextFieldRule): ListingChanges | SkipReason => {
  const old = listing[rule.field] ?? '';
  const next = (rule.field === 'title' ? changeTitleText : changeDescriptionHtml)(old, rule);
  if (next === old) return rule.how === 'replace' ? 'notThere' : 'same';
  if (rule.field === 'title' && next === '') return 'noneBefore';
  if (rule.field === 'title' && rule.longest !== null && [...next].length > rule.longest) return 'tooLong';
  return { [rule.field]: next };
};

/** Returns the smallest price step, in hundredths: 100 if the currency has no minor unit, else 1. */
const getPriceUnit = (listing: Listing): 1 | 100 =>
  getCurrencyFormat(getCurrentLocale(), findListingCurrency(listing))?.digits === 0 ? 100 : 1;

const calculatePriceShare = (price: number, percent: number, unit: 1 | 100): number =>
  Math.floor((price * percent) / 10_000 / unit) * unit;

const planOfferChange = (
  listing: Listing,
  rule: Extract<BulkRule, { field: 'bestOffer' }>,
): ListingChanges | SkipReason => {
  if (listing.format === 'AUCTION') return 'auction';
  if (!rule.enabled) return { bestOffer: { enabled: false } };
  const { price } = listing;
  if (typeof price !== 'number') return 'noPrice';
  const { acceptPercent, declinePercent } = rule;
  const unit = getPriceUnit(listing);
  return {
    bestOffer: {
      enabled: true,
      ...(acceptPercent === null ? {} : { autoAcceptCents: calculatePriceShare(price, acceptPercent, unit) }),
      ...(declinePercent === null ? {} : { autoDeclineCents: calculatePriceShare(price, declinePercent, unit) }),
    },
  };
};

const planPriceChange = (listing: Listing, { rule, medians }: Extract<BulkRule, { field: 'price' }>) => {
  const { bestOffer } = listing;
  const price = applyPriceRule(rule, {
    price: listing.price ?? null,
    suggested: listing.suggestedPrice ?? null,
    median: medians.get(listing.listingId),
    autoAccept: bestOffer?.enabled ? (bestOffer.autoAcceptCents ?? null) : null,
    unit: getPriceUnit(listing),
  });
  return typeof price === 'number' ? { price } : price;
};

const planSpecificsChange = (listing: Listing, name: string, value: string): ListingChanges => {
  const { [name]: _old, ...others } = listing.itemSpecifics ?? {};
  return { itemSpecifics: value === '' ? others : { ...(listing.itemSpecifics ?? {}), [name]: value } };
};

const planListingChange = (listing: Listing, rule: BulkRule): ListingChanges | SkipReason => {
  switch (rule.field) {
    case 'price':
      return planPriceChange(listing, rule);
    case 'title':
    case 'description':
      return planTextChange(listing, rule);
    case 'itemSpecifics':
      return planSpecificsChange(listing, rule.name, rule.value);
    case 'bestOffer':
      return planOfferChange(listing, rule);
    case 'condition': {
      const accepted = rule.accepted.get(listing.categoryId ?? '');
      return accepted && !accepted.includes(rule.value) ? 'conditionNotTaken' : { condition: rule.value };
    }
    case 'categoryId':
      return rule.site === (listing.marketplaceId ?? null) ? { categoryId: rule.value } : 'otherSite';
    default:
      return { [rule.field]: rule.value };
  }
};

/** Buyers see a live listing, so a change of it needs an approval. */
export const isListingLive = ({ status }: Pick<Listing, 'status'>): boolean => status === 'published';

const findStateProblem = ({ status }: Listing, field: BulkField): SkipReason | null => {
  if (status === 'published') return liveFields.includes(field) ? null : 'liveFixed';
  return editableStatuses.includes(status) ? null : 'notEditable';
};

const formatOfferLimits = (listing: Listing, offer: ListingChanges['bestOffer'] | null): string => {
  const { enabled, autoAcceptCents, autoDeclineCents } = offer ?? {};
  if (!enabled) return t('review.offers.off');
  const formatOfferAmount = (cents: number): string => formatCents(cents, findListingCurrency(listing));
  return [
    t('review.offers.on'),
    ...(autoAcceptCents === undefined
      ? []
      : [t('review.offers.acceptsFrom', { price: formatOfferAmount(autoAcceptCents) })]),
    ...(autoDeclineCents === undefined
      ? []
      : [t('review.offers.declinesBelow', { price: formatOfferAmount(autoDeclineCents) })]),
  ].join(' · ');
};

const formatChangedSpecifics = (specifics: Listing['itemSpecifics'], others: Listing['itemSpecifics']): string =>
  Object.entries(specifics ?? {})
    .filter(([name, value]) => others?.[name] !== value)
    .map(([name, value]) => `${name}: ${value}`)
    .join(', ') || '–';

type BulkFieldValues = Pick<Listing, BulkField>;

const formatFieldValue = (
  listing: Listing,
  field: BulkField,
  values: BulkFieldValues,
  beside: BulkFieldValues,
): string => {
  const value = values[field];
  if (field === 'itemSpecifics') return formatChangedSpecifics(values.itemSpecifics, beside.itemSpecifics);
  if (field === 'bestOffer') return formatOfferLimits(listing, values.bestOffer ?? null);
  if (value === null || value === undefined || value === '' || typeof value === 'object') return '–';
  if (field === 'price') return formatCents(Number(value), findListingCurrency(listing));
  if (field === 'packageWeightGrams') return formatWeight(Number(value), getWeightUnits(listing.marketplaceId));
  if (field === 'quantity') return formatNumber(Number(value));
  if (field === 'condition') return formatCondition(String(value));
  if (field === 'description') return convertHtmlToText(String(value));
  if (field === 'categoryId')
    return value === listing.categoryId ? (listing.categoryName ?? String(value)) : String(value);
  return String(value);
};

/** The result does not depend on the order of the keys. */
const serialiseCanonically = (value: unknown): string =>
  typeof value === 'object' && value !== null
    ? JSON.stringify(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : JSON.stringify(value ?? null);

const emptyValues: Partial<BulkFieldValues> = {
  quantity: 1,
  description: '',
  sku: '',
  itemSpecifics: {},
  bestOffer: { enabled: false },
};

/** Returns null if the value is empty and the service cannot clear the field. */
const toRestoringEdit = (listing: Listing, field: BulkField): ListingChanges | null => {
  const value = listing[field] ?? emptyValues[field] ?? null;
  return value === null || (value === '' && field !== 'description' && field !== 'sku') ? null : { [field]: value };
};

/** A change of a field also depends on these fields. */
const fieldDependencies: Partial<Record<BulkField, readonly BulkField[]>> = {
  price: ['bestOffer'],
  bestOffer: ['price'],
  condition: ['categoryId'],
};

const serialiseSeenValues = (listing: Listing, field: BulkField): string =>
  [field, ...(fieldDependencies[field] ?? [])]
    .map((name) => serialiseCanonically(listing[name] ?? emptyValues[name]))
    .join(' ');

const toBulkChange = (
  { row, listing }: { row: ListingRow; listing: Listing },
  field: BulkField,
  body: ListingChanges,
  name?: string,
): BulkChange => {
  const next = { ...listing, ...body };
  return {
    row,
    live: isListingLive(listing),
    asks: isListingLive(listing) || field === 'bestOffer',
    before: formatFieldValue(listing, field, listing, next),
    after: name ?? formatFieldValue(listing, field, next, listing),
    body,
    old: toRestoringEdit(listing, field),
    seen: serialiseSeenValues(listing, field),
  };
};

/** Returns `changed` if the listing has other values than the preview, or `made` if it already has the new value. */
export const compareChangeWithListing = (
  listing: Listing,
  field: BulkField,
  change: BulkChange,
): 'open' | 'made' | 'changed' => {
  if (isListingLive(listing) !== change.live || findStateProblem(listing, field) !== null) return 'changed';
  if (serialiseCanonically(listing[field] ?? emptyValues[field]) === serialiseCanonically(change.body[field]))
    return 'made';
  return serialiseSeenValues(listing, field) === change.seen ? 'open' : 'changed';
};

const buildBulkPlan = (
  targets: readonly BulkTarget[],
  planRow: (row: ListingRow, listing: Listing) => BulkChange | SkipReason,
): BulkPlan => {
  const plan: BulkPlan = { changes: [], left: [] };
  for (const { row, listing } of targets) {
    const found = listing === null ? 'notRead' : planRow(row, listing);
    if (typeof found === 'string') plan.left.push({ row, why: found });
    else plan.changes.push(found);
  }
  return plan;
};

export const planBulkChanges = (targets: readonly BulkTarget[], rule: BulkRule): BulkPlan =>
  buildBulkPlan(targets, (row, listing) => {
    const body = findStateProblem(listing, rule.field) ?? planListingChange(listing, rule);
    if (typeof body === 'string') return body;
    if (serialiseCanonically(body[rule.field]) === serialiseCanonically(listing[rule.field] ?? emptyValues[rule.field]))
      return 'same';
    return toBulkChange({ row, listing }, rule.field, body, rule.field === 'categoryId' ? rule.name : undefined);
  });

export type AppliedBulkEdit = { field: BulkField; rows: readonly Pick<BulkChange, 'row' | 'body' | 'old'>[] };

export const planBulkUndo = (targets: readonly BulkTarget[], { field, rows }: AppliedBulkEdit): BulkPlan =>
  buildBulkPlan(targets, (row, listing) => {
    const appliedRow = rows.find((applied) => applied.row.listingId === row.listingId);
    if (!appliedRow || serialiseCanonically(appliedRow.body[field]) !== serialiseCanonically(listing[field]))
      return 'changedSince';
    const problem = findStateProblem(listing, field);
    if (problem !== null) return problem;
    return appliedRow.old === null ? 'noneBefore' : toBulkChange({ row, listing }, field, appliedRow.old);
  });
