import { Button } from '@mantine/core';
import { Trans } from 'react-i18next';
import { sentenceOf } from '../../api/call.ts';
import type { Standing } from '../../api/types.ts';
import { ProblemLine } from '../../components/ProblemLine.tsx';
import { UntrustedText } from '../../components/text/UntrustedText.tsx';
import { PlansTable } from './PlansTable.tsx';
import { upgradeWay, type UpgradeWay } from './upgradeWay.ts';
import { useAskAccount, usePlans, useProducts, type AccountRequest } from './useAccount.ts';
import { t } from '../../i18n/t.ts';
import styles from '../settings/settings.module.css';
import own from './account.module.css';

type Checkout = Extract<UpgradeWay, { kind: 'checkout' }>;

const checkout = (ask: AccountRequest, body: Checkout['body']): void =>
  ask.mutate({ route: 'createCheckoutToken', input: { body } });

/** A way that is one for all plans: the billing pages, the service's words, or the one checkout that it named. */
const OneWay = ({
  way,
  ask,
  upgrade,
}: {
  way: UpgradeWay;
  ask: AccountRequest;
  upgrade: NonNullable<Standing['upgrade']>;
}) => {
  if (way.kind === 'words')
    return (
      <p>
        <UntrustedText text={way.words} />
      </p>
    );
  const isPortal = way.kind === 'portal';
  const act = (): void =>
    isPortal ? ask.mutate({ route: 'createPortal', input: { body: way.body } }) : checkout(ask, way.body);
  const bigger = way.kind === 'checkout' && way.body.trial ? 'account.plan.trial' : 'account.plan.bigger';
  return (
    <div className={styles.line}>
      <Button loading={ask.isPending} onClick={act}>
        {t(isPortal ? 'account.plan.change' : bigger)}
      </Button>
      <span className={styles.small}>
        {upgrade.suggestedPlan && (
          <>
            <Trans
              i18nKey="account.plan.suggested"
              components={{ plan: <UntrustedText text={upgrade.suggestedPlan} fold={60} flag={false} /> }}
            />{' '}
          </>
        )}
        {t('account.plan.notCharged')}
      </span>
    </div>
  );
};

/** Every plan with the service's own numbers, and each way to another one that the service offers. */
export const Plans = ({ standing }: { standing: Standing }) => {
  const plans = usePlans();
  const products = useProducts().data;
  const ask = useAskAccount();
  const way = upgradeWay(standing.upgrade?.how);
  const rows = plans.data ?? [];
  const byRow = way?.kind === 'checkout' && rows.length > 0;
  const mayTry = standing.upgrade?.offerTrial === true && products?.mayTry === true;
  const trial = byRow && mayTry && way.body.trial ? way.body.tier : null;
  return (
    <section aria-label={t('account.plans.title')} className={styles.plan} aria-busy={plans.isPending}>
      <h2>{t('account.plans.title')}</h2>
      <p className={styles.small}>{t('account.plans.live')}</p>
      {plans.error && <ProblemLine>{sentenceOf(plans.error)}</ProblemLine>}
      {plans.isPending && <div className={own.coming} />}
      {rows.length > 0 && (
        <PlansTable
          plans={rows}
          current={standing.plan?.code ?? standing.plan?.name ?? null}
          suggested={standing.upgrade?.suggestedPlan ?? null}
          trial={trial}
          choose={byRow ? (body) => checkout(ask, body) : null}
          busy={ask.isPending}
        />
      )}
      {trial !== null && <p className={styles.small}>{t('account.plans.trialHelp')}</p>}
      {byRow && <p className={styles.small}>{t('account.plan.notCharged')}</p>}
      {way && !byRow && standing.upgrade && <OneWay way={way} ask={ask} upgrade={standing.upgrade} />}
      {ask.error && <ProblemLine>{sentenceOf(ask.error)}</ProblemLine>}
      {products && products.packs.length > 0 && (
        <p className={styles.small}>
          {t('account.plans.packs')} <UntrustedText text={products.packs.join(' · ')} />
        </p>
      )}
    </section>
  );
};
