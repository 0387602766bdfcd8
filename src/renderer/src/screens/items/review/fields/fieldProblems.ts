import { t } from '../../../../i18n.ts';
import { findOwnEntry } from '../../../../../../contract/untrusted.ts';

export type Blocker = { code?: string | undefined; field?: string | undefined; message?: string | undefined };
export type PlacedBlockers = { byField: Readonly<Record<string, string[]>>; top: string[] };

/** Maps the field names of the service to the fields of the review. */
const fieldNames: Readonly<Record<string, string>> = {
  title: 'title',
  price: 'price',
  condition: 'condition',
  quantity: 'quantity',
  description: 'description',
  categoryid: 'categoryId',
  category: 'categoryId',
  itemspecifics: 'itemSpecifics',
  packageweightgrams: 'packageWeightGrams',
  packageweight: 'packageWeightGrams',
  weight: 'packageWeightGrams',
  conditiondescription: 'conditionDescription',
  bestoffer: 'bestOffer',
};

const fieldByCode: Readonly<Record<string, string>> = {
  MISSING_PACKAGE_WEIGHT: 'packageWeightGrams',
  PACKAGE_WEIGHT_TOO_HEAVY: 'packageWeightGrams',
  CONDITION_NOT_ALLOWED: 'condition',
};

const knownCodes = [
  'MISSING_PACKAGE_WEIGHT',
  'PACKAGE_WEIGHT_TOO_HEAVY',
  'MARKET_TOKEN_EXPIRED',
  'MISSING_POLICIES',
  'CONDITION_NOT_ALLOWED',
  'MISSING_LOCATION',
  'SELLER_SETUP_REQUIRED',
] as const;

/** Returns null if the blocker is not about a single field. */
export const findBlockedField = (code: string | undefined, field: string | undefined): string | null => {
  const name = (field ?? '').split('.').filter((part) => part !== 'body')[0] ?? '';
  return findOwnEntry(fieldNames, name.toLowerCase()) ?? findOwnEntry(fieldByCode, code ?? '') ?? null;
};

const describeBlocker = ({ message, code }: Blocker): string => {
  if (message !== undefined) return message;
  const known = knownCodes.find((one) => one === code);
  if (known) return t(`parts.blockers.${known}`);
  return code ? t('parts.blockers.otherCode', { code }) : t('parts.blockers.other');
};

/** `top` has the blockers that are not about a single field. */
export const groupBlockersByField = (blockers: readonly Blocker[]): PlacedBlockers => {
  const byField: Record<string, string[]> = {};
  const top: string[] = [];
  for (const blocker of blockers) {
    const field = findBlockedField(blocker.code, blocker.field);
    if (field) (byField[field] ??= []).push(describeBlocker(blocker));
    else top.push(describeBlocker(blocker));
  }
  return { byField, top };
};

export const findTitleProblem = (text: string): string | null => (text.trim() === '' ? t('review.check.title') : null);

const isWholeNumber = (text: string): boolean => /^\d{1,7}$/.test(text.trim());

export const findQuantityProblem = (text: string): string | null =>
  isWholeNumber(text) && Number(text) >= 1 && Number(text) <= 100_000 ? null : t('review.check.quantity');
