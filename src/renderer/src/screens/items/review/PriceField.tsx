import { centsToText, formatCents, textToCents } from '../../../parts/money.ts';
import type { Listing } from '../../../api/types.ts';
import { TextField } from './TextField.tsx';
import type { Save } from './useSaveListing.ts';
import { t } from '../../../i18n/t.ts';
import styles from './review.module.css';

type Props = {
  listing: Listing;
  currency: string | null;
  save: Save;
  problems: readonly string[] | undefined;
  readOnly: boolean;
};

const checkPrice = (text: string): string | null =>
  textToCents(text) === null ? t('review.check.price', { example: centsToText(3_499) }) : null;

/** The asking price in the listing's currency, with the suggested one beside it. */
export const PriceField = ({ listing, currency, save, problems, readOnly }: Props) => {
  const { suggestedPrice, price } = listing;
  const suggestion =
    typeof suggestedPrice === 'number' ? (
      <p className={`${styles.soft} ${styles.suggested}`}>
        <span>{t('review.suggested', { price: formatCents(suggestedPrice, currency) })}</span>
        {!readOnly && suggestedPrice !== price && (
          <button type="button" className={styles.inline} onClick={() => void save({ price: suggestedPrice })}>
            {t('review.useSuggested')}
          </button>
        )}
      </p>
    ) : null;
  return (
    <TextField
      label={t('review.price')}
      numeric
      left={<span className={styles.currency}>{currency ?? '?'}</span>}
      saved={centsToText(price)}
      save={(text, onHeld) => save({ price: textToCents(text) ?? 0 }, onHeld)}
      check={checkPrice}
      below={suggestion}
      problems={problems}
      readOnly={readOnly}
    />
  );
};
