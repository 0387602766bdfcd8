import '@mantine/charts/styles.css';
import { BarChart } from '@mantine/charts';
import { formatMinorAmount } from '../../components/text/format.ts';

type Props = { bars: readonly { name: string; minor: number }[]; currency: string };

/** The table below the chart has the same figures for screen readers. */
export const SalesChart = ({ bars, currency }: Props) => (
  <BarChart
    h={240}
    data={bars.map((bar) => ({ ...bar }))}
    dataKey="name"
    series={[{ name: 'minor', label: currency, color: 'var(--lc-soft)' }]}
    valueFormatter={(minor) => formatMinorAmount(minor, currency)}
    maxBarWidth={64}
    tickLine="none"
    gridAxis="x"
    yAxisProps={{ width: 88 }}
    barProps={{ isAnimationActive: false, radius: 2 }}
    tooltipAnimationDuration={0}
  />
);
