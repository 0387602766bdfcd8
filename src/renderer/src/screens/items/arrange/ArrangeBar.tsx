import { Button } from '@mantine/core';
import { t } from '../../../i18n/t.ts';
import { useKeys } from '../../../parts/useKeys.ts';
import type { Selection } from '../select/useSelection.ts';
import { UndoButton } from './UndoButton.tsx';
import { useArrange, useLastChange, type Arrange } from './useArrange.ts';
import styles from './arrange.module.css';

/** What can be done with the items that are picked. */
const PickedItems = ({ selection, arrange }: { selection: Selection; arrange: Arrange }) => {
  const ids = selection.groups.map(({ itemId }) => itemId);
  const guessed = selection.groups.filter((item) => item.guessed).map(({ itemId }) => itemId);
  const then = (act: () => void) => (): void => {
    act();
    selection.clear();
  };
  return (
    <div className={styles.acts}>
      <span aria-live="polite">{t('items.selected', { count: ids.length })}</span>
      {ids.length > 1 && (
        <Button size="compact-md" disabled={arrange.busy} onClick={then(() => arrange.merge(ids))}>
          {t('arrange.merge', { count: ids.length })}
        </Button>
      )}
      {guessed.length > 0 && (
        <Button size="compact-md" disabled={arrange.busy} onClick={then(() => arrange.begin(guessed))}>
          {t('arrange.beginPicked', { count: guessed.length })}
        </Button>
      )}
      <Button size="compact-md" variant="quiet" onClick={selection.clear}>
        {t('items.clear')}
      </Button>
    </div>
  );
};

type Props = { guessed: number; selection: Selection };

/** At the list's head: what was guessed waits for a look, picked items become one, and the last change can be taken back. */
export const ArrangeBar = ({ guessed, selection }: Props) => {
  const arrange = useArrange();
  const last = useLastChange();
  // Asked of the core at once: what was last done may not have been read here yet.
  useKeys({ 'mod+z': arrange.undo });
  const picked = selection.groups.length > 0;
  if (guessed === 0 && last === null && !picked) return null;
  return (
    <div className={styles.bar}>
      {guessed > 0 && <p>{t('arrange.guessed', { count: guessed })}</p>}
      {picked && <PickedItems selection={selection} arrange={arrange} />}
      {guessed > 0 && !picked && (
        <Button size="compact-md" variant="ink" disabled={arrange.busy} onClick={() => arrange.begin()}>
          {t('arrange.beginAll', { count: guessed })}
        </Button>
      )}
      <UndoButton />
    </div>
  );
};
