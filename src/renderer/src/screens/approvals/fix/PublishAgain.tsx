import { Button } from '@mantine/core';
import { sentenceOf } from '../../../api/callError.ts';
import { ProblemLine } from '../../../parts/ProblemLine.tsx';
import { useFix } from './useFix.ts';
import { t } from '../../../i18n/t.ts';
import styles from './fix.module.css';

/** After a step that was asked for on the way to a publish: the publish itself, as a fresh question. */
export const PublishAgain = ({ listingId }: { listingId: string }) => {
  const fix = useFix(listingId);
  return (
    <div className={styles.step}>
      <Button variant="ink" loading={fix.busy} onClick={() => fix.publish()}>
        {t('approvals.fix.publishAgain')}
      </Button>
      {fix.error && <ProblemLine>{sentenceOf(fix.error)}</ProblemLine>}
    </div>
  );
};
