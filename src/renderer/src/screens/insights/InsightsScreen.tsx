import { useState } from 'react';
import { t } from '../../i18n/t.ts';
import { Page } from '../../parts/Page.tsx';
import { DaySales } from './DaySales.tsx';
import { Inventory } from './Inventory.tsx';
import { ItemSales } from './ItemSales.tsx';
import { Sales } from './Sales.tsx';
import { Slowest } from './Slowest.tsx';

/** What was sold, what is still there, and what waits too long. */
export const InsightsScreen = () => {
  const [now] = useState(() => Date.now());
  return (
    <Page title={t('insights.title')} wide>
      <Sales now={now} />
      <Inventory />
      <Slowest />
      <ItemSales />
      <DaySales now={now} />
    </Page>
  );
};
