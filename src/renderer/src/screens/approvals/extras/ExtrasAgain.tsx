import { Button } from '@mantine/core';
import { useEffect } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { standingKey, useStanding } from '../../../api/queries.ts';
import type { ApprovalView } from '../../../api/types.ts';
import { formatMinor } from '../../../parts/money.ts';
import { countIn } from './extrasWords.ts';
import { useExtras, type ExtrasAct } from './useExtras.ts';
import { t } from '../../../i18n/t.ts';

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
