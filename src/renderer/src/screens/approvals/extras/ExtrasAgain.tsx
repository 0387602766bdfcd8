import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, useEffect } from 'react';
import { call, sentenceOf } from '../../../api/call.ts';
import type { ApprovalView } from '../../../api/types.ts';
import { ProblemLine } from '../../../components/ProblemLine.tsx';
import { countIn } from '../approvalWords.ts';
import { t } from '../../../i18n/t.ts';
import styles from './extras.module.css';
import { standingKey, useStanding } from '../../../api/queries.ts';
import { formatMinor } from '../../../components/text/format.ts';
import { useExtras, type ExtrasAct } from './useExtras.ts';

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

const actOf = ({ route, prompt }: ApprovalView, rateCents: number): ExtrasAct | null => {
  if (route === 'setExtras') return { act: 'on', rateCents };
  const count = route === 'approveExtras' ? countIn(prompt) : null;
  return count === null ? null : { act: 'aside', count, rateCents };
};

const AtNewRate = ({ approval }: { approval: ApprovalView }) => {
  const client = useQueryClient();
  const extras = useExtras();
  const { data, isFetching } = useStanding();
  useEffect(() => void client.invalidateQueries({ queryKey: standingKey }), [client]);
  const rate = data?.allowance.extras?.rateCents ?? null;
  const act = rate === null ? null : actOf(approval, rate);
  if (isFetching || rate === null || act === null) return null;
  return (
    <div>
      <p>{t('account.extras.rateNow', { rate: formatMinor(rate, 'USD') })}</p>
      <Button loading={extras.isPending} onClick={() => extras.mutate(act)}>
        {t('account.extras.againAt', { rate: formatMinor(rate, 'USD') })}
      </Button>
    </div>
  );
};

const TurnOnFirst = () => {
  const extras = useExtras();
  const rateCents = useStanding().data?.allowance.extras?.rateCents ?? null;
  if (rateCents === null) return null;
  return (
    <div>
      <p>{t('account.extras.offFirst')}</p>
      <Button loading={extras.isPending} onClick={() => extras.mutate({ act: 'on', rateCents })}>
        {t('account.extras.turnOn')}
      </Button>
    </div>
  );
};

/**
 * What can be done when extras changed between the yes and the sending: a new rate is asked about again, and extras that
 * were turned off are turned on first.
 */
export const ExtrasAgain = ({ approval: { outcome }, approval }: { approval: ApprovalView }) => {
  if (outcome?.code === 'RATE_CHANGED') return <AtNewRate approval={approval} />;
  return outcome?.code === 'EXTRAS_OFF' ? <TurnOnFirst /> : null;
};
