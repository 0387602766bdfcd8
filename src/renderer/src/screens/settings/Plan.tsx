import { Trans } from 'react-i18next';
import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { sentenceOf } from '../../api/callError.ts';
import { perform } from '../../api/perform.ts';
import { useStanding } from '../../api/queries.ts';
import type { Standing } from '../../api/types.ts';
import { ProblemLine } from '../../parts/ProblemLine.tsx';
import { Said } from '../../parts/Said.tsx';
import { usePrompts } from '../approvals/usePrompts.ts';
import { Extras } from './Extras.tsx';
import { Facts } from './Facts.tsx';
import { upgradeWay, type UpgradeWay } from './upgradeWay.ts';
import { t } from '../../i18n/t.ts';
import { dayWords } from '../../i18n/locale.ts';
import styles from './settings.module.css';

const leftWords = ({ remaining, resetsAt }: Standing['allowance']): string => {
  const count = remaining;
  return resetsAt
    ? t('settings.plan.listingsUntil', { count, day: dayWords(Date.parse(resetsAt), 'long') })
    : t('settings.plan.listings', { count });
};

const useUpgrade = () => {
  const { show } = usePrompts();
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (way: Exclude<UpgradeWay, { kind: 'words' }>) =>
      way.kind === 'checkout'
        ? perform('createCheckoutToken', { body: way.body })
        : perform('createPortal', { body: way.body }),
    onSuccess: (performed) => {
      if (performed.state === 'pending') show(performed.approvalId);
    },
    onSettled: () => client.invalidateQueries({ queryKey: ['approvals'] }),
  });
};

/** A bigger plan, the way the service says it is bought. */
const Upgrade = ({ upgrade }: { upgrade: NonNullable<Standing['upgrade']> }) => {
  const ask = useUpgrade();
  const way = upgradeWay(upgrade.how);
  if (!way) return null;
  if (way.kind === 'words')
    return (
      <p>
        <Said text={way.words} />
      </p>
    );
  const trial = way.kind === 'checkout' && way.body.trial;
  return (
    <div className={styles.line}>
      <Button loading={ask.isPending} onClick={() => ask.mutate(way)}>
        {t(way.kind === 'portal' ? 'settings.plan.change' : trial ? 'settings.plan.trial' : 'settings.plan.bigger')}
      </Button>
      <span className={styles.small}>
        {upgrade.suggestedPlan && (
          <>
            <Trans
              i18nKey="settings.plan.suggested"
              components={{ plan: <Said text={upgrade.suggestedPlan} fold={60} flag={false} /> }}
            />{' '}
          </>
        )}
        {t('settings.plan.notCharged')}
      </span>
      {ask.error && <ProblemLine>{sentenceOf(ask.error)}</ProblemLine>}
    </div>
  );
};

/** What is left, credits, paid extras, and a bigger plan. */
export const Plan = () => {
  const { data: standing, error } = useStanding();
  if (error) return <ProblemLine>{sentenceOf(error)}</ProblemLine>;
  if (!standing) return null;
  const { allowance, plan, upgrade } = standing;
  return (
    <section aria-label={t('settings.plan.title')} className={styles.plan}>
      <h2>{t('settings.plan.title')}</h2>
      <Facts
        facts={[
          [t('settings.plan.plan'), plan?.name ?? plan?.code ?? t('settings.plan.notNamed')],
          [t('settings.plan.left'), leftWords(allowance)],
          [t('settings.plan.credits'), t('settings.plan.listings', { count: allowance.creditBalance })],
        ]}
      />
      {allowance.extras && <Extras extras={allowance.extras} />}
      {upgrade && <Upgrade upgrade={upgrade} />}
    </section>
  );
};
