import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../../api/call.ts';
import { sentenceOf } from '../../../api/callError.ts';
import type { ApprovalView } from '../../../api/types.ts';
import { ProblemLine } from '../../../parts/ProblemLine.tsx';
import { countIn } from './extrasWords.ts';
import { t } from '../../../i18n/t.ts';
import styles from './extras.module.css';

type Props = { approval: ApprovalView; count: number; onShow: (approvalId: string) => void };

const Stepper = ({ approval: { approvalId, digest }, count, onShow }: Props) => {
  const client = useQueryClient();
  const [wanted, setWanted] = useState(count - 1);
  const lower = useMutation({
    mutationFn: () => call('approvals.lower', { approvalId, digest, count: wanted }),
    onSuccess: (next) => {
      client.setQueryData(['approvals', 'one', next.approvalId], next);
      onShow(next.approvalId);
    },
    onSettled: () => client.invalidateQueries({ queryKey: ['approvals'] }),
  });
  return (
    <section aria-label={t('account.extras.fewerTitle')} className={styles.fewer}>
      <span>{t('account.extras.fewer')}</span>
      <Button
        size="compact-md"
        aria-label={t('account.extras.less')}
        disabled={wanted <= 1}
        onClick={() => setWanted(wanted - 1)}
      >
        −
      </Button>
      <output aria-live="polite">{wanted}</output>
      <Button
        size="compact-md"
        aria-label={t('account.extras.more')}
        disabled={wanted >= count - 1}
        onClick={() => setWanted(wanted + 1)}
      >
        +
      </Button>
      <Button size="compact-md" loading={lower.isPending} onClick={() => lower.mutate()}>
        {t('account.extras.lower', { count: wanted })}
      </Button>
      {lower.error && <ProblemLine>{sentenceOf(lower.error)}</ProblemLine>}
    </section>
  );
};

/** In a question to set aside extras: a smaller number, which is a fresh question. */
export const Fewer = ({ approval, onShow }: Omit<Props, 'count'>) => {
  const count = approval.route === 'approveExtras' ? countIn(approval.prompt) : null;
  if (count === null || count < 2) return null;
  return <Stepper key={approval.digest} approval={approval} count={count} onShow={onShow} />;
};
