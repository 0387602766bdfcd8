import type { ItemView } from '../api/types.ts';
import { marks, markStates } from './itemWay.ts';
import styles from './itemWay.module.css';

/** The way of an item as five small marks. The words beside it say the same, so it is silent. */
export const ItemWay = ({ item, named = false }: { item: ItemView; named?: boolean }) => {
  const part = item.progress && item.progress.total > 0 ? item.progress.done / item.progress.total : 0;
  return (
    <div className={styles.way} aria-hidden data-named={named || undefined}>
      {markStates(item).map((state, at) => (
        <div key={marks[at]} className={styles.step} data-state={state}>
          <div className={styles.mark}>
            {state === 'moving' && <div className={styles.part} style={{ width: `${Math.round(part * 100)}%` }} />}
          </div>
          {named && <span>{marks[at]}</span>}
        </div>
      ))}
    </div>
  );
};
