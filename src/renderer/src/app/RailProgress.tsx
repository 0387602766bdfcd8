import { useItems } from '../api/queries.ts';
import { useIntakes } from '../api/intake/intakeStore.ts';
import { isMoving, wayDone } from '../parts/itemWay.ts';
import { t } from '../i18n/t.ts';
import styles from './frame.module.css';

/** The sum of everything under way: one line in the rail, gone when nothing moves. */
export const RailProgress = () => {
  const moving = (useItems().data ?? []).filter(isMoving);
  const intakes = useIntakes();
  const count = moving.length + intakes.length;
  if (count === 0) return null;
  const done = moving.reduce((sum, item) => sum + wayDone(item), 0) / count;
  const words = t('app.onTheWay', { count });
  return (
    <div className={styles.progress}>
      <span className={styles.name}>{words}</span>
      <div
        role="progressbar"
        aria-label={words}
        aria-valuenow={Math.round(done * 100)}
        aria-valuemin={0}
        aria-valuemax={100}
        className={styles.line}
      >
        <div style={{ width: `${Math.round(done * 100)}%` }} />
      </div>
    </div>
  );
};
