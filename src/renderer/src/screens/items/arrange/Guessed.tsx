import { Button } from '@mantine/core';
import { t } from '../../../i18n/t.ts';
import { useArrange } from './useArrange.ts';
import styles from './arrange.module.css';

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
