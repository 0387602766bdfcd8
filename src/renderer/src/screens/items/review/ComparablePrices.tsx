import { formatCents } from '../../../components/text/format.ts';
import { formatCondition } from '../../../components/text/formatCondition.ts';
import {
  type Offer,
  computeMedianPrice,
  useComparableOffers,
  type ComparableOffers as Found,
  type ComparisonQuery,
  stackPriceDots,
  createPriceScale,
  type PriceScale,
} from './compStatistics.ts';
import { t } from '../../../i18n.ts';
import styles from './comps.module.css';
import { Button } from '@mantine/core';
import { findListingCurrency } from '../../../../../contract/index.ts';
import type { Listing } from '../../../api/call.ts';
import { DataTable, type Column } from '../../../components/lists/DataTable.tsx';
import { ErrorLine } from '../../../components/ScreenPage.tsx';
import { UntrustedText } from '../../../components/text/UntrustedText.tsx';
import review from './review.module.css';

const dotPx = 5;
const risePx = 12;
const headPx = 44;
const footPx = 24;
/** The width of a dot in percent of the chart. It is chosen for the narrowest chart, so that dots never overlap. */
const dotPercent = 3.4;

type PriceMark = { cents: number; words: string; dashed: boolean };

const chooseTextAnchor = (x: number, edge: number): 'start' | 'middle' | 'end' => {
  if (x < edge) return 'start';
  return x > 100 - edge ? 'end' : 'middle';
};

type CompsChartProps = {
  offers: readonly Offer[];
  currency: string | null;
  condition: string | null;
  price: number | null;
  suggested: number | null;
};

const listPriceMarks = ({ price, suggested, currency }: CompsChartProps): PriceMark[] => {
  const createPriceMarks = (cents: number | null, words: string, dashed: boolean): PriceMark[] =>
    cents === null ? [] : [{ cents, words: `${words} ${formatCents(cents, currency)}`, dashed }];
  if (price === suggested) return createPriceMarks(price, t('review.comps.both'), false);
  return [
    ...createPriceMarks(suggested, t('review.comps.suggested'), true),
    ...createPriceMarks(price, t('review.comps.yours'), false),
  ];
};

type ScaleLine = { scale: PriceScale; base: number };

const ScaleTicks = ({ scale, base, currency }: ScaleLine & { currency: string | null }) =>
  scale.ticks.map((cents, at) => {
    const x = scale.x(cents);
    return (
      <text
        key={cents}
        x={`${x}%`}
        y={base + footPx - 2}
        textAnchor={chooseTextAnchor(x, 12)}
        data-between={at % 2 === 1 || undefined}
      >
        {formatCents(cents, currency)}
      </text>
    );
  });

const PriceMarks = ({ scale, base, marks }: ScaleLine & { marks: readonly PriceMark[] }) =>
  marks.map(({ cents, words, dashed }, at) => {
    const x = scale.x(cents);
    return (
      <g key={words} className={styles.mark} data-dashed={dashed || undefined}>
        <line x1={`${x}%`} x2={`${x}%`} y1={18 + at * 20} y2={base + 8} />
        <text x={`${x}%`} y={12 + at * 20} textAnchor={chooseTextAnchor(x, 22)}>
          {words}
        </text>
      </g>
    );
  });

export const CompsChart = (props: CompsChartProps) => {
  const { offers, currency, condition } = props;
  const marks = listPriceMarks(props);
  const scale = createPriceScale([...offers.map((offer) => offer.priceCents), ...marks.map(({ cents }) => cents)]);
  const dots = stackPriceDots(
    offers.map((offer) => scale.x(offer.priceCents)),
    dotPercent,
  );
  const base = headPx + 16 + risePx * Math.max(2, ...dots.map(({ up }) => up));
  return (
    <svg className={styles.chart} width="100%" height={base + footPx} role="img" aria-label={t('review.comps.chart')}>
      <line x1="0" x2="100%" y1={base + 8} y2={base + 8} className={styles.axis} />
      <ScaleTicks scale={scale} base={base} currency={currency} />
      <PriceMarks scale={scale} base={base} marks={marks} />
      {dots.map(({ x, up }, at) => (
        <circle
          key={at}
          cx={`${x}%`}
          cy={base - up * risePx}
          r={dotPx}
          data-same={offers[at]?.condition === condition || undefined}
        />
      ))}
    </svg>
  );
};

const listOfferColumns = (currency: string | null): Column<Offer>[] => [
  {
    name: t('review.title'),
    show: ({ title }) => <UntrustedText text={title} fold={120} />,
    cell: ({ title }) => title,
  },
  {
    name: t('review.condition'),
    show: ({ condition }) => (condition ? formatCondition(condition) : ''),
    cell: ({ condition }) => condition ?? null,
  },
  {
    name: t('review.comps.asks'),
    show: ({ priceCents }) => formatCents(priceCents, currency),
    cell: ({ priceCents }) => priceCents / 100,
    end: true,
  },
];

const OffersSummary = ({ found: { offers, currency } }: { found: Found }) => {
  const formatOfferPrice = (cents: number | null | undefined): string => formatCents(cents ?? 0, currency);
  return (
    <p>
      {t('review.comps.summary', {
        count: offers.length,
        from: formatOfferPrice(offers[0]?.priceCents),
        to: formatOfferPrice(offers.at(-1)?.priceCents),
        middle: formatOfferPrice(computeMedianPrice(offers)),
      })}{' '}
      <span className={review.soft}>{t('review.comps.asking')}</span>
    </p>
  );
};

type ComparablePricesProps = {
  of: ComparisonQuery;
  listing: Listing;
  /** Null if the price cannot be edited. */
  onUse: ((cents: number) => void) | null;
};

const ComparablePricesContent = ({ found, listing, onUse }: Omit<ComparablePricesProps, 'of'> & { found: Found }) => {
  const { offers, suggestedCents } = found;
  const own = findListingCurrency(listing);
  const comparable = own === null || own === found.currency;
  const price = comparable ? (listing.price ?? null) : null;
  const suggested = comparable ? (listing.suggestedPrice ?? suggestedCents) : suggestedCents;
  if (offers.length === 0) return <p className={review.soft}>{t('review.comps.none')}</p>;
  return (
    <>
      <OffersSummary found={found} />
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
            columns={listOfferColumns(found.currency)}
            rows={offers}
          />
        </div>
      </details>
    </>
  );
};

export const ComparablePrices = ({ of, listing, onUse }: ComparablePricesProps) => {
  const { data, error } = useComparableOffers(of);
  return (
    <div className={styles.panel} role="region" aria-label={t('review.comps.title')} aria-live="polite">
      <ErrorLine error={error} />
      {!data && !error && <div className={styles.coming} />}
      {data && <ComparablePricesContent found={data} listing={listing} onUse={onUse} />}
    </div>
  );
};
