import { formatCents } from '../../../parts/money.ts';
import type { Offer } from './comps.ts';
import { pile, scaleOf, type Scale } from './dots.ts';
import { t } from '../../../i18n/t.ts';
import styles from './comps.module.css';

const dotPx = 5;
const risePx = 12;
const headPx = 44;
const footPx = 24;
/** Of the narrowest line that the chart is drawn on, so that dots never cover each other. */
const dotPercent = 3.4;

type Mark = { cents: number; words: string; dashed: boolean };

/** Words near an end of the line lie inwards of their place. */
const anchorOf = (x: number, edge: number): 'start' | 'middle' | 'end' => {
  if (x < edge) return 'start';
  return x > 100 - edge ? 'end' : 'middle';
};

type Props = {
  offers: readonly Offer[];
  currency: string | null;
  condition: string | null;
  price: number | null;
  suggested: number | null;
};

const marksOf = ({ price, suggested, currency }: Props): Mark[] => {
  const mark = (cents: number | null, words: string, dashed: boolean): Mark[] =>
    cents === null ? [] : [{ cents, words: `${words} ${formatCents(cents, currency)}`, dashed }];
  if (price === suggested) return mark(price, t('review.comps.both'), false);
  return [...mark(suggested, t('review.comps.suggested'), true), ...mark(price, t('review.comps.yours'), false)];
};

type Line = { scale: Scale; base: number };

const Ticks = ({ scale, base, currency }: Line & { currency: string | null }) =>
  scale.ticks.map((cents, at) => {
    const x = scale.x(cents);
    return (
      <text
        key={cents}
        x={`${x}%`}
        y={base + footPx - 2}
        textAnchor={anchorOf(x, 12)}
        data-between={at % 2 === 1 || undefined}
      >
        {formatCents(cents, currency)}
      </text>
    );
  });

const Marks = ({ scale, base, marks }: Line & { marks: readonly Mark[] }) =>
  marks.map(({ cents, words, dashed }, at) => {
    const x = scale.x(cents);
    return (
      <g key={words} className={styles.mark} data-dashed={dashed || undefined}>
        <line x1={`${x}%`} x2={`${x}%`} y1={18 + at * 20} y2={base + 8} />
        <text x={`${x}%`} y={12 + at * 20} textAnchor={anchorOf(x, 22)}>
          {words}
        </text>
      </g>
    );
  });

/** Each asking price as a dot on a line, with the own price and the suggested one marked. The table says the same. */
export const CompsChart = (props: Props) => {
  const { offers, currency, condition } = props;
  const marks = marksOf(props);
  const scale = scaleOf([...offers.map((offer) => offer.priceCents), ...marks.map(({ cents }) => cents)]);
  const dots = pile(
    offers.map((offer) => scale.x(offer.priceCents)),
    dotPercent,
  );
  const base = headPx + 16 + risePx * Math.max(2, ...dots.map(({ up }) => up));
  return (
    <svg className={styles.chart} width="100%" height={base + footPx} role="img" aria-label={t('review.comps.chart')}>
      <line x1="0" x2="100%" y1={base + 8} y2={base + 8} className={styles.axis} />
      <Ticks scale={scale} base={base} currency={currency} />
      <Marks scale={scale} base={base} marks={marks} />
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
