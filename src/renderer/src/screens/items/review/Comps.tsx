import { Button } from '@mantine/core';
import { currencyOf } from '../../../../../contract/index.ts';
import { sentenceOf } from '../../../api/callError.ts';
import type { Listing } from '../../../api/types.ts';
import { conditionWords } from '../../../parts/conditionWords.ts';
import { DataTable, type Column } from '../../../parts/DataTable.tsx';
import { formatCents } from '../../../parts/money.ts';
import { ProblemLine } from '../../../parts/ProblemLine.tsx';
import { UntrustedText } from '../../../parts/UntrustedText.tsx';
import { middleOf, useComps, type Comps as Found, type CompsOf, type Offer } from './comps.ts';
import { CompsChart } from './CompsChart.tsx';
import { t } from '../../../i18n/t.ts';
import review from './review.module.css';
import styles from './comps.module.css';

const columns = (currency: string | null): Column<Offer>[] => [
  {
    name: t('review.title'),
    show: ({ title }) => <UntrustedText text={title} fold={120} />,
    cell: ({ title }) => title,
  },
  {
    name: t('review.condition'),
    show: ({ condition }) => (condition ? conditionWords(condition) : ''),
    cell: ({ condition }) => condition ?? null,
  },
  {
    name: t('review.comps.asks'),
    show: ({ priceCents }) => formatCents(priceCents, currency),
    cell: ({ priceCents }) => priceCents / 100,
    end: true,
  },
];

const Summary = ({ found: { offers, currency } }: { found: Found }) => {
  const words = (cents: number | null | undefined): string => formatCents(cents ?? 0, currency);
  return (
    <p>
      {t('review.comps.summary', {
        count: offers.length,
        from: words(offers[0]?.priceCents),
        to: words(offers.at(-1)?.priceCents),
        middle: words(middleOf(offers)),
      })}{' '}
      <span className={review.soft}>{t('review.comps.asking')}</span>
    </p>
  );
};

type Props = {
  of: CompsOf;
  listing: Listing;
  /** Takes a price over; null where it cannot be changed. */
  onUse: ((cents: number) => void) | null;
};

const Shown = ({ found, listing, onUse }: Omit<Props, 'of'> & { found: Found }) => {
  const { offers, suggestedCents } = found;
  const own = currencyOf(listing);
  const comparable = own === null || own === found.currency;
  const price = comparable ? (listing.price ?? null) : null;
  const suggested = comparable ? (listing.suggestedPrice ?? suggestedCents) : suggestedCents;
  if (offers.length === 0) return <p className={review.soft}>{t('review.comps.none')}</p>;
  return (
    <>
      <Summary found={found} />
      <CompsChart
        offers={offers}
        currency={found.currency}
        condition={listing.condition ?? null}
        price={price}
        suggested={suggested}
      />
      <p className={review.soft}>{t('review.comps.legend')}</p>
      {onUse && comparable && suggested !== null && suggested !== price && (
        <div>
          <Button size="compact-sm" onClick={() => onUse(suggested)}>
            {t('review.comps.use', { price: formatCents(suggested, found.currency) })}
          </Button>
        </div>
      )}
      <details className={styles.table}>
        <summary>{t('review.comps.table')}</summary>
        <div>
          <DataTable
            name={t('review.comps.table')}
            file="similar-items"
            columns={columns(found.currency)}
            rows={offers}
          />
        </div>
      </details>
    </>
  );
};

/** What others ask for similar items: a small chart, and the same as a table. */
export const Comps = ({ of, listing, onUse }: Props) => {
  const { data, error } = useComps(of);
  return (
    <div className={styles.panel} role="region" aria-label={t('review.comps.title')} aria-live="polite">
      {error && <ProblemLine>{sentenceOf(error)}</ProblemLine>}
      {!data && !error && <div className={styles.coming} />}
      {data && <Shown found={data} listing={listing} onUse={onUse} />}
    </div>
  );
};
