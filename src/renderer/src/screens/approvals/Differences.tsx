import { Button } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { sentenceOf } from '../../api/callError.ts';
import { perform } from '../../api/perform.ts';
import type { ApprovalView } from '../../api/types.ts';
import { ProblemLine } from '../../parts/ProblemLine.tsx';
import { isPublish } from './acts.ts';
import { Changes } from './Changes.tsx';
import { usePrompts } from './usePrompts.ts';
import { t } from '../../i18n/t.ts';
import styles from './receipt.module.css';

/** The way back from a publish: asks to end it, as any end is asked about. */
const EndNow = ({ listingId }: { listingId: string }) => {
  const { show } = usePrompts();
  const end = useMutation({
    mutationFn: () => perform('endListing', { params: { listingId } }),
    onSuccess: (performed) => {
      if (performed.state === 'pending') show(performed.approvalId);
    },
  });
  return (
    <>
      <div>
        <Button loading={end.isPending} onClick={() => end.mutate()}>
          {t('approvals.differs.endNow')}
        </Button>
      </div>
      {end.error && <ProblemLine>{sentenceOf(end.error)}</ProblemLine>}
    </>
  );
};

/** The alarm: what is live is not what the yes was given to. */
export const Differences = ({ approval }: { approval: ApprovalView }) => {
  const { differences, route, prompt } = approval;
  const listingId = prompt.target?.listingId ?? null;
  if (differences.length === 0) return null;
  return (
    <section role="alert" className={styles.alarm}>
      <h3>
        <IconAlertTriangle size={18} aria-hidden />
        {t('approvals.differs.title')}
      </h3>
      <Changes
        changes={differences}
        caption={t('approvals.whatChanges')}
        sides={[t('approvals.differs.was'), t('approvals.differs.is')]}
      />
      {isPublish(route) && listingId !== null && <EndNow listingId={listingId} />}
    </section>
  );
};
