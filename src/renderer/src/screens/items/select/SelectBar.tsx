import { Button } from '@mantine/core';
import { sentenceOf } from '../../../api/call.ts';
import { ProblemLine } from '../../../components/ProblemLine.tsx';
import { useAskBatch } from '../../approvals/batch/useBatches.ts';
import { useAskOne } from './useAskOne.ts';
import { mostAtOnce, type Selection } from './useSelection.ts';
import { t } from '../../../i18n/t.ts';
import styles from './select.module.css';

const allWords = (count: number): string =>
  count > mostAtOnce ? t('items.selectFirst', { count: mostAtOnce }) : t('items.selectAll', { count });

/** Publishes what is chosen: one question for all of it. */
const PublishChosen = ({ selection }: { selection: Selection }) => {
  const many = useAskBatch();
  const one = useAskOne();
  const ids = selection.selected.map(({ listingId }) => listingId);
  const ask = (): void => {
    if (ids.length > 1) many.mutate({ publish: ids }, { onSuccess: selection.clear });
    else if (ids[0]) one.mutate(ids[0], { onSuccess: selection.clear });
  };
  const problem = many.error ?? one.error;
  return (
    <>
      <div className={styles.chosen}>
        <span aria-live="polite">{t('items.selected', { count: ids.length })}</span>
        <Button size="compact-sm" variant="quiet" onClick={selection.clear}>
          {t('items.clear')}
        </Button>
        <Button
          variant="ink"
          size="compact-md"
          loading={many.isPending || one.isPending}
          disabled={ids.length > mostAtOnce}
          onClick={ask}
        >
          {t('items.publishMany', { count: ids.length })}
        </Button>
      </div>
      {ids.length > mostAtOnce && <ProblemLine>{t('items.atMost', { count: mostAtOnce })}</ProblemLine>}
      {problem && <ProblemLine>{sentenceOf(problem)}</ProblemLine>}
    </>
  );
};

/** At the list's head: takes all that are ready, counts what is chosen, and publishes it. */
export const SelectBar = ({ selection }: { selection: Selection }) => {
  const { ready, selected } = selection;
  const some = selected.length > 0;
  if (!some && ready.total < 2) return null;
  const isLeft = ready.total > mostAtOnce || ready.itemIds.some((itemId) => !selection.has(itemId));
  const more = isLeft && selected.length < mostAtOnce;
  return (
    <div className={styles.bar}>
      {more && (
        <button type="button" className={styles.all} onClick={selection.all}>
          {allWords(ready.total)}
        </button>
      )}
      {some && <PublishChosen selection={selection} />}
    </div>
  );
};
