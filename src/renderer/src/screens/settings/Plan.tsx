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
import styles from './settings.module.css';

const dayOf = (iso: string): string =>
  new Intl.DateTimeFormat('en', { day: 'numeric', month: 'long' }).format(new Date(iso));

const leftWords = ({ remaining, resetsAt }: Standing['allowance']): string => {
  const left = remaining === 1 ? '1 listing' : `${remaining} listings`;
  return resetsAt ? `${left} until ${dayOf(resetsAt)}` : left;
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
        {way.kind === 'portal' ? 'Change the plan…' : trial ? 'Try a bigger plan…' : 'Get a bigger plan…'}
      </Button>
      <span className={styles.small}>
        {upgrade.suggestedPlan && (
          <>
            Suggested: <Said text={upgrade.suggestedPlan} fold={60} flag={false} />.{' '}
          </>
        )}
        Nothing is charged before you pay on a page of the service.
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
    <section aria-label="Plan and extras" className={styles.plan}>
      <h2>Plan and extras</h2>
      <Facts
        facts={[
          ['Plan', plan?.name ?? plan?.code ?? 'Not named'],
          ['Left in this period', leftWords(allowance)],
          ['Credits', allowance.creditBalance === 1 ? '1 listing' : `${allowance.creditBalance} listings`],
        ]}
      />
      {allowance.extras && <Extras extras={allowance.extras} />}
      {upgrade && <Upgrade upgrade={upgrade} />}
    </section>
  );
};
