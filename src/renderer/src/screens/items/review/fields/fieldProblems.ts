import { t } from '../../../../i18n.ts';
import { entryOf } from '../../../../../../contract/untrusted.ts';

/** One thing that must be fixed before a publish, as the service answers it. */
export type Blocker = { code?: string | undefined; field?: string | undefined; message?: string | undefined };
export type PlacedBlockers = { byField: Readonly<Record<string, string[]>>; top: string[] };

/** Fields of the review that a blocker can stand at, by the names the service may give them. */
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

const fieldOfCode: Readonly<Record<string, string>> = {
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

/** The field of the review that a name or a code is about; null when it is about none of them. */
export const fieldFor = (code: string | undefined, field: string | undefined): string | null => {
  const name = (field ?? '').split('.').filter((part) => part !== 'body')[0] ?? '';
  return entryOf(fieldNames, name.toLowerCase()) ?? entryOf(fieldOfCode, code ?? '') ?? null;
};

const sentence = ({ message, code }: Blocker): string => {
  if (message !== undefined) return message;
  const known = knownCodes.find((one) => one === code);
  if (known) return t(`parts.blockers.${known}`);
  return code ? t('parts.blockers.otherCode', { code }) : t('parts.blockers.other');
};

/** Each blocker at the field it is about, the others at the top. */
export const placeBlockers = (blockers: readonly Blocker[]): PlacedBlockers => {
  const byField: Record<string, string[]> = {};
  const top: string[] = [];
  for (const blocker of blockers) {
    const field = fieldFor(blocker.code, blocker.field);
    if (field) (byField[field] ??= []).push(sentence(blocker));
    else top.push(sentence(blocker));
  }
  return { byField, top };
};

/** What can be said about a field before the service is asked; null when nothing is wrong. */
export const checkTitle = (text: string): string | null => (text.trim() === '' ? t('review.check.title') : null);

const isWhole = (text: string): boolean => /^\d{1,7}$/.test(text.trim());

/** What is wrong with a quantity: whole pieces, at least one; null when nothing is. */
export const checkQuantity = (text: string): string | null =>
  isWhole(text) && Number(text) >= 1 && Number(text) <= 100_000 ? null : t('review.check.quantity');

/** What is wrong with a weight as it was typed, in whole grams; null when nothing is. */
export const checkWeight = (text: string): string | null =>
  isWhole(text) && Number(text) >= 1 && Number(text) <= 1_000_000 ? null : t('review.check.weight');
