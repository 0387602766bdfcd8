import { t } from '../../../i18n/t.ts';

/** What can be said about a field before the service is asked; null when nothing is wrong. */
export const checkTitle = (text: string): string | null => (text.trim() === '' ? t('review.check.title') : null);

const isWhole = (text: string): boolean => /^\d{1,7}$/.test(text.trim());

/** What is wrong with a quantity: whole pieces, at least one; null when nothing is. */
export const checkQuantity = (text: string): string | null =>
  isWhole(text) && Number(text) >= 1 && Number(text) <= 100_000 ? null : t('review.check.quantity');

/** What is wrong with a weight as it was typed, in whole grams; null when nothing is. */
export const checkWeight = (text: string): string | null =>
  isWhole(text) && Number(text) >= 1 && Number(text) <= 1_000_000 ? null : t('review.check.weight');
