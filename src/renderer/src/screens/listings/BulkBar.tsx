import { Button } from '@mantine/core';
import { useState } from 'react';
import { sentenceOf } from '../../api/call.ts';
import type { ListingRow } from '../../api/types.ts';
import { t } from '../../i18n/t.ts';
import { ProblemLine } from '../../components/ProblemLine.tsx';
import { mostAtOnce, type ListingSelection } from './useListingSelection.ts';
import { PriceDialog } from './PriceDialog.tsx';
import { useBulk } from './useBulk.ts';
import styles from './listings.module.css';

const canCome = (row: ListingRow): boolean => row.status === 'ended' || row.status === 'sold';

type Props = { chosen: ListingSelection; total: number; onAll: () => void };

/** What can be done with the listings that are selected. */
export const BulkBar = ({ chosen, total, onAll }: Props) => {
  const [pricing, setPricing] = useState(false);
  const bulk = useBulk(() => {
    setPricing(false);
    chosen.clear();
  });
  const { rows } = chosen;
  const live = rows.filter(({ status }) => status === 'published');
  const over = rows.filter(canCome);
  const tooMany = rows.length > mostAtOnce;
  const all = total > mostAtOnce ? t('listings.selectFirst', { count: mostAtOnce }) : t('listings.selectAll');
  return (
    <div className={styles.bulkBar}>
      <span aria-live="polite">{t('listings.selected', { count: rows.length })}</span>
      {rows.length < Math.min(total, mostAtOnce) && (
        <Button variant="quiet" size="compact-md" onClick={onAll}>
          {all}
        </Button>
      )}
      <Button variant="quiet" size="compact-md" onClick={chosen.clear}>
        {t('listings.clear')}
      </Button>
      <span className={styles.space} />
      {live.length > 0 && (
        <>
          <Button size="compact-md" disabled={tooMany || bulk.busy} onClick={() => setPricing(true)}>
            {t('listings.changePrice', { count: live.length })}
          </Button>
          <Button size="compact-md" disabled={tooMany || bulk.busy} onClick={() => bulk.end(live)}>
            {t('listings.end', { count: live.length })}
          </Button>
        </>
      )}
      {over.length > 0 && (
        <Button size="compact-md" disabled={tooMany || bulk.busy} onClick={() => bulk.relist(over)}>
          {t('listings.relist', { count: over.length })}
        </Button>
      )}
      {live.length + over.length === 0 && <span className={styles.soft}>{t('listings.onlyLive')}</span>}
      {tooMany && <ProblemLine>{t('listings.bulk.tooMany', { count: mostAtOnce })}</ProblemLine>}
      {!pricing && bulk.error && <ProblemLine>{sentenceOf(bulk.error)}</ProblemLine>}
      {pricing && <PriceDialog rows={rows} bulk={bulk} onClose={() => setPricing(false)} />}
    </div>
  );
};
