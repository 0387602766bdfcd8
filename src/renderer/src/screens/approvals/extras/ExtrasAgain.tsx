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

/** When the rate of extras changed between the yes and the sending: the new rate, to be asked about again. */
export const ExtrasAgain = ({ approval }: { approval: ApprovalView }) =>
  approval.outcome?.code === 'RATE_CHANGED' ? <AtNewRate approval={approval} /> : null;
