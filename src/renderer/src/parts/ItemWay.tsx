import type { ItemView } from '../api/types.ts';
import { marks, markStates } from './itemWay.ts';
import { t } from '../i18n/t.ts';
import styles from './itemWay.module.css';

type Props = { item: Pick<ItemView, 'step' | 'stop' | 'progress'>; named?: boolean };

/** The way of an item as five small marks. The words beside it say the same, so it is silent. */
export const ItemWay = ({ item, named = false }: Props) => {
  const part = item.progress && item.progress.total > 0 ? item.progress.done / item.progress.total : 0;
  const states = markStates(item);
  return (
    <div className={styles.way} aria-hidden data-named={named || undefined}>
      {marks.map((mark, at) => (
        <div key={mark} className={styles.step} data-state={states[at]}>
          <div className={styles.mark}>
            {states[at] === 'moving' && <div className={styles.part} style={{ width: `${Math.round(part * 100)}%` }} />}
          </div>
          {named && <span>{t(`parts.way.${mark}`)}</span>}
        </div>
      ))}
    </div>
  );
};
