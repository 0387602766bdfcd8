import { useMutation, useQueryClient } from '@tanstack/react-query';
import {
  CallError,
  performRequest,
  readServiceAnswer,
  type RouteOutcome,
  callCore,
  type ApprovalView,
} from '../../api/call.ts';
import { standingKey, useAccountStanding } from '../../api/queries.ts';
import { useOpenPendingPrompt } from './usePrompts.ts';
import { Button } from '@mantine/core';
import { useState, useEffect } from 'react';
import { ErrorLine } from '../../components/ScreenPage.tsx';
import { parseExtrasCount } from './approvalText.ts';
import { t } from '../../i18n.ts';
import styles from './extras.module.css';
import { formatMinorAmount } from '../../components/text/format.ts';

export type ExtrasRequest =
  { act: 'on'; rateCents: number } | { act: 'off' } | { act: 'aside'; count: number; rateCents: number };

const sendExtrasRequest = (act: ExtrasRequest): Promise<RouteOutcome<'setExtras'> | RouteOutcome<'approveExtras'>> => {
  if (act.act === 'aside')
    return performRequest('approveExtras', { body: { count: act.count, rateCents: act.rateCents } });
  return performRequest('setExtras', {
    body: act.act === 'on' ? { enabled: true, acknowledgedRateCents: act.rateCents } : { enabled: false },
  });
};

export const useExtrasRequest = () => {
  const client = useQueryClient();
  return useMutation({
    mutationFn: sendExtrasRequest,
    onSuccess: useOpenPendingPrompt(),
    onError: async (error) => {
      if (error instanceof CallError && error.code === 'RATE_CHANGED')
        client.setQueryData(standingKey, await readServiceAnswer('readStanding', {}));
    },
    onSettled: () => client.invalidateQueries({ queryKey: ['approvals'] }),
  });
};

type LowerExtrasProps = { approval: ApprovalView; count: number; onShow: (approvalId: string) => void };

const ExtrasCountStepper = ({ approval: { approvalId, digest }, count, onShow }: LowerExtrasProps) => {
  const client = useQueryClient();
  const [wanted, setWanted] = useState(count - 1);
  const lower = useMutation({
    mutationFn: () => callCore('approvals.lower', { approvalId, digest, count: wanted }),
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
      <ErrorLine error={lower.error} />
    </section>
  );
};

export const LowerExtrasSection = ({ approval, onShow }: Omit<LowerExtrasProps, 'count'>) => {
  const count = approval.route === 'approveExtras' ? parseExtrasCount(approval.prompt) : null;
  if (count === null || count < 2) return null;
  return <ExtrasCountStepper key={approval.digest} approval={approval} count={count} onShow={onShow} />;
};

const toExtrasRequest = ({ route, prompt }: ApprovalView, rateCents: number): ExtrasRequest | null => {
  if (route === 'setExtras') return { act: 'on', rateCents };
  const count = route === 'approveExtras' ? parseExtrasCount(prompt) : null;
  return count === null ? null : { act: 'aside', count, rateCents };
};

const RetryAtNewRate = ({ approval }: { approval: ApprovalView }) => {
  const client = useQueryClient();
  const extras = useExtrasRequest();
  const { data, isFetching } = useAccountStanding();
  useEffect(() => void client.invalidateQueries({ queryKey: standingKey }), [client]);
  const rate = data?.allowance.extras?.rateCents ?? null;
  const act = rate === null ? null : toExtrasRequest(approval, rate);
  if (isFetching || rate === null || act === null) return null;
  return (
    <div>
      <p>{t('account.extras.rateNow', { rate: formatMinorAmount(rate, 'USD') })}</p>
      <Button loading={extras.isPending} onClick={() => extras.mutate(act)}>
        {t('account.extras.againAt', { rate: formatMinorAmount(rate, 'USD') })}
      </Button>
    </div>
  );
};

const turnOnTexts = {
  EXTRAS_OFF: { says: 'account.extras.offFirst', button: 'account.extras.turnOn' },
  EXTRAS_ON_UNCONFIRMED: { says: 'account.extras.unconfirmed', button: 'account.extras.turnOnAgain' },
} as const;

export const TurnOnExtras = ({ code }: { code: keyof typeof turnOnTexts }) => {
  const extras = useExtrasRequest();
  const rateCents = useAccountStanding().data?.allowance.extras?.rateCents ?? null;
  if (rateCents === null) return null;
  return (
    <div>
      <p>{t(turnOnTexts[code].says)}</p>
      <Button loading={extras.isPending} onClick={() => extras.mutate({ act: 'on', rateCents })}>
        {t(turnOnTexts[code].button)}
      </Button>
      <ErrorLine error={extras.error} />
    </div>
  );
};

/**
 * Shows the step after an unfinished change of extras. If the e-mail about extras was not sent, the person can turn
 * extras on again, because only then is it sent again.
 */
export const ExtrasFollowUp = ({ approval: { outcome }, approval }: { approval: ApprovalView }) => {
  const code = outcome?.code;
  if (code === 'RATE_CHANGED') return <RetryAtNewRate approval={approval} />;
  return code === 'EXTRAS_OFF' || code === 'EXTRAS_ON_UNCONFIRMED' ? <TurnOnExtras code={code} /> : null;
};
