import { centsToText, formatCents, textToCents } from '../../../parts/money.ts';
import type { Listing } from '../../../api/types.ts';
import { TextField } from './TextField.tsx';
import type { Save } from './useSaveListing.ts';
import styles from './review.module.css';

type Props = {
  listing: Listing;
  currency: string | null;
  save: Save;
  problems: readonly string[] | undefined;
  readOnly: boolean;
};

const checkPrice = (text: string): string | null =>
  textToCents(text) === null ? 'The price is an amount like 34.99.' : null;

/** The asking price in the listing's currency, with the suggested one beside it. */
export const PriceField = ({ listing, currency, save, problems, readOnly }: Props) => {
  const { suggestedPrice, price } = listing;
  const suggestion =
    typeof suggestedPrice === 'number' ? (
      <p className={`${styles.soft} ${styles.suggested}`}>
        <span>Suggested {formatCents(suggestedPrice, currency)}</span>
        {!readOnly && suggestedPrice !== price && (
          <button type="button" className={styles.inline} onClick={() => void save({ price: suggestedPrice })}>
            Use suggested
          </button>
        )}
      </p>
    ) : null;
  return (
    <TextField
      label="Price"
      numeric
      left={<span className={styles.currency}>{currency ?? '?'}</span>}
      saved={centsToText(price)}
      save={(text) => save({ price: textToCents(text) ?? 0 })}
      check={checkPrice}
      below={suggestion}
      problems={problems}
      readOnly={readOnly}
    />
  );
};
