import { Button } from '@mantine/core';
import type { ItemView } from '../../../api/types.ts';
import { t } from '../../../i18n/t.ts';
import { useKeys } from '../../../parts/useKeys.ts';
import { useArrange, useLastChange } from './useArrange.ts';
import styles from './arrange.module.css';

/** At the list's head: what was guessed waits for a look, and the last change can be taken back. */
export const ArrangeBar = ({ items }: { items: readonly ItemView[] }) => {
  const arrange = useArrange();
  const last = useLastChange();
  useKeys({ 'mod+z': () => last && arrange.undo() });
  const guessed = items.filter((item) => item.guessed && item.stop === null).length;
  if (guessed === 0 && last === null) return null;
  return (
    <div className={styles.bar}>
      {guessed > 0 && (
        <>
          <p>{t('arrange.guessed', { count: guessed })}</p>
          <Button size="compact-md" disabled={arrange.busy} onClick={() => arrange.begin()}>
            {t('arrange.beginAll', { count: guessed })}
          </Button>
        </>
      )}
      {last !== null && (
        <Button size="compact-md" variant="quiet" disabled={arrange.busy} onClick={arrange.undo}>
          {t('arrange.undo', { what: last.label })}
        </Button>
      )}
    </div>
  );
};
