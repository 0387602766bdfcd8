import { useRef, useState } from 'react';
import { useItemCounts, useShownItems } from '../../api/itemQueries.ts';
import { useIntakes } from '../../api/addPhotos.ts';
import { DropZone, FirstItems } from './DropZone.tsx';
import { FindField } from './FindField.tsx';
import { IntakeRows } from './IntakeRows.tsx';
import { ItemList } from './ItemList.tsx';
import { ItemPane } from './ItemPane.tsx';
import { ArrangeBar } from './arrange/ArrangeBar.tsx';
import { SelectBar } from './select/SelectBar.tsx';
import { useSelection } from './select/useSelection.ts';
import { useItemKeys, type ScrollTo } from './useItemKeys.ts';
import { t } from '../../i18n/t.ts';
import styles from './items.module.css';

const findFrom = 6;

const NothingOpen = () => (
  <div className={styles.nothingOpen}>
    <p>{t('items.choose')}</p>
    <p>{t('items.chooseKeys')}</p>
  </div>
);

/** The items, and beside them the one that is open. */
export const ItemsScreen = ({ openId }: { openId: string | null }) => {
  const counts = useItemCounts();
  const intakes = useIntakes();
  const [find, setFind] = useState('');
  const scrollTo = useRef<ScrollTo>(null);
  const shown = useShownItems(find);
  const selection = useSelection(find);
  const toNext = useItemKeys({ shown, find, openId, clear: selection.some ? selection.clear : null, scrollTo });
  if (!counts || !shown) return null;
  if (counts.all === 0 && intakes.length === 0) return <FirstItems />;
  return (
    <div className={styles.screen} data-open={openId !== null || undefined}>
      <section className={styles.side} aria-label={t('items.all')}>
        <h1 className={styles.unseen}>{t('items.title')}</h1>
        <DropZone />
        {counts.all >= findFrom && <FindField value={find} onChange={setFind} found={shown.total} />}
        <ArrangeBar guessed={counts.guessed} selection={selection} />
        <SelectBar selection={selection} />
        <IntakeRows intakes={intakes} />
        <ItemList items={shown} openId={openId} selection={selection} scrollTo={scrollTo} />
      </section>
      {openId === null ? <NothingOpen /> : <ItemPane key={openId} itemId={openId} onNext={toNext} />}
    </div>
  );
};
