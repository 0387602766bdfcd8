import { Button } from '@mantine/core';
import { t } from '../../../i18n/t.ts';
import { useArrange, useLastChange, type Arrange } from './useArrange.ts';
import { translate } from '../../../i18n/language.ts';
import styles from './arrange.module.css';
import { useKeys } from '../../../components/useKeys.ts';
import type { Selection } from '../select/useSelection.ts';

/** Takes back the last change of the arrangement, by its name; nothing when there is none. */
export const UndoButton = ({ className }: { className?: string | undefined }) => {
  const arrange = useArrange();
  const last = useLastChange();
  if (last === null) return null;
  return (
    <Button className={className} size="compact-md" variant="quiet" disabled={arrange.busy} onClick={arrange.undo}>
      {t('arrange.undo', { what: translate(last.says, last.label) })}
    </Button>
  );
};

/** Says that the photos were put together by a guess, and begins the item once they were looked at. */
export const Guessed = ({ itemId }: { itemId: string }) => {
  const arrange = useArrange();
  return (
    <div className={styles.acts}>
      <p className={styles.why}>{t('arrange.guessedOne')}</p>
      <Button variant="ink" disabled={arrange.busy} onClick={() => arrange.begin([itemId])}>
        {t('arrange.begin')}
      </Button>
    </div>
  );
};

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
