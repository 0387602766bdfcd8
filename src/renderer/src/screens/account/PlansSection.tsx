import { SettingsSection } from '../settings/SettingsSection.tsx';
import { Button } from '@mantine/core';
import { UntrustedText, escapeHiddenText } from '../../components/text/UntrustedText.tsx';
import { formatCents, formatNumber } from '../../components/text/format.ts';
import {
  type Plan,
  useAccountChangeRequest,
  useAccountPlans,
  useAccountProducts,
  type AccountRequestMutation,
} from './useAccount.ts';
import { t } from '../../i18n.ts';
import styles from '../settings/settings.module.css';
import own from './account.module.css';
import { Trans } from 'react-i18next';
import type { Standing } from '../../api/call.ts';
import { isUnknownRecord } from '../../api/unknownRecord.ts';
import { ErrorLine } from '../../components/ScreenPage.tsx';

type PlanChoice = { tier: string; trial?: boolean };
type Props = {
  plans: readonly Plan[];
  current: string | null;
  suggested: string | null;
  trial: string | null;
  /** Opens the checkout for one of the plans. Null if the service offers no such checkout. */
  choose: ((choice: PlanChoice) => void) | null;
  busy: boolean;
};

export const matchesPlanName = ({ code, name }: Plan, said: string | null): boolean =>
  said !== null && [code, name].some((one) => one.toLowerCase() === said.toLowerCase());

const formatPlanPrice = ({ priceCents, currency }: Plan): string => {
  if (priceCents === null) return '–';
  return priceCents === 0 ? t('account.plans.free') : formatCents(priceCents, currency);
};

const formatPlanFigure = (value: number | null): string => (value === null ? '–' : formatNumber(value));

const formatTrialLabel = (days: number | null): string =>
  days === null ? t('account.plans.trial') : t('account.plans.trialDays', { count: days });

const PlanActions = ({ plan, current, trial, choose, busy }: Props & { plan: Plan }) => {
  if (matchesPlanName(plan, current)) return <b>{t('account.plans.current')}</b>;
  if (choose === null || plan.priceCents === 0) return null;
  const { code: tier, name } = plan;
  return (
    <span className={own.ways}>
      {matchesPlanName(plan, trial) && (
        <Button size="compact-sm" disabled={busy} onClick={() => choose({ tier, trial: true })}>
          {formatTrialLabel(plan.trialDays)}
        </Button>
      )}
      <Button
        size="compact-sm"
        disabled={busy}
        aria-label={t('account.plans.chooseName', { plan: escapeHiddenText(name) })}
        onClick={() => choose({ tier })}
      >
        {t('account.plans.choose')}
      </Button>
    </span>
  );
};

const PlansTable = (props: Props) => (
  <div className={own.tableFrame} tabIndex={0} role="group" aria-label={t('account.plans.title')}>
    <table className={own.plans}>
      <thead>
        <tr>
          <th scope="col">{t('account.plan.plan')}</th>
          <th scope="col">{t('account.plans.price')}</th>
          <th scope="col">{t('account.plans.listings')}</th>
          <th scope="col">{t('account.plans.photos')}</th>
          <th scope="col">{t('account.plans.extra')}</th>
          <th scope="col">
            <span className="unseen">{t('account.plans.change')}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {props.plans.map((plan) => (
          <tr key={plan.code} data-current={matchesPlanName(plan, props.current) || undefined}>
            <th scope="row">
              <UntrustedText text={plan.name} fold={60} flag={false} />
              {matchesPlanName(plan, props.suggested) && (
                <span className={styles.small}> {t('account.plans.suggested')}</span>
              )}
            </th>
            <td>{formatPlanPrice(plan)}</td>
            <td>{formatPlanFigure(plan.listings)}</td>
            <td>{formatPlanFigure(plan.photos)}</td>
            <td>{plan.extraCents === null ? '–' : formatCents(plan.extraCents, plan.currency)}</td>
            <td>
              <PlanActions {...props} plan={plan} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);

type UpgradeOption =
  | { kind: 'checkout'; body: { tier: string; trial?: boolean } }
  | { kind: 'portal'; body: Record<string, unknown> }
  | { kind: 'words'; words: string };

const parseCheckoutOption = (body: unknown): UpgradeOption | null => {
  if (!isUnknownRecord(body) || typeof body.tier !== 'string' || body.tier === '') return null;
  return { kind: 'checkout', body: { tier: body.tier, ...(body.trial === true ? { trial: true } : {}) } };
};

/** Returns null if `how` has no known option. The API does not define the shape of `how`. */
export const parseUpgradeOption = (how: unknown): UpgradeOption | null => {
  if (!isUnknownRecord(how)) return null;
  if (how.openApp !== undefined && how.openApp !== false)
    return typeof how.tellThePerson === 'string' ? { kind: 'words', words: how.tellThePerson } : null;
  const call = isUnknownRecord(how.call) ? how.call : how;
  if (typeof call.path === 'string' && call.path.includes('portal'))
    return { kind: 'portal', body: isUnknownRecord(call.body) ? call.body : {} };
  return parseCheckoutOption(call.body) ?? parseCheckoutOption(call);
};

type CheckoutOption = Extract<UpgradeOption, { kind: 'checkout' }>;

const requestPlanCheckout = (ask: AccountRequestMutation, body: CheckoutOption['body']): void =>
  ask.mutate({ route: 'createCheckoutToken', input: { body } });

const UpgradeButton = ({
  way,
  ask,
  suggested,
}: {
  way: UpgradeOption;
  ask: AccountRequestMutation;
  suggested: string | null;
}) => {
  if (way.kind === 'words')
    return (
      <p>
        <UntrustedText text={way.words} />
      </p>
    );
  const isPortal = way.kind === 'portal';
  const requestUpgrade = (): void =>
    isPortal ? ask.mutate({ route: 'createPortal', input: { body: way.body } }) : requestPlanCheckout(ask, way.body);
  const bigger = way.kind === 'checkout' && way.body.trial ? 'account.plan.trial' : 'account.plan.bigger';
  return (
    <div className={styles.line}>
      <Button loading={ask.isPending} onClick={requestUpgrade}>
        {t(isPortal ? 'account.plan.change' : bigger)}
      </Button>
      <span className={styles.small}>
        {suggested && (
          <>
            <Trans
              i18nKey="account.plan.suggested"
              components={{ plan: <UntrustedText text={suggested} fold={60} flag={false} /> }}
            />{' '}
          </>
        )}
        {t('account.plan.notCharged')}
      </span>
    </div>
  );
};

export const PlansSection = ({ standing }: { standing: Standing }) => {
  const plans = useAccountPlans();
  const products = useAccountProducts().data;
  const ask = useAccountChangeRequest();
  const way = parseUpgradeOption(standing.upgrade?.how);
  const rows = plans.data ?? [];
  const byRow = way?.kind === 'checkout' && rows.length > 0;
  const mayTry = standing.upgrade?.offerTrial === true && products?.mayTry === true;
  const suggested = standing.upgrade?.suggestedPlan ?? null;
  const trial = byRow && mayTry && way.body.trial ? way.body.tier : null;
  return (
    <SettingsSection
      title={t('account.plans.title')}
      help={t('account.plans.live')}
      error={plans.error}
      isLoading={plans.isPending}
    >
      {rows.length > 0 && (
        <PlansTable
          plans={rows}
          current={standing.plan?.code ?? standing.plan?.name ?? null}
          suggested={suggested}
          trial={trial}
          choose={byRow ? (body) => requestPlanCheckout(ask, body) : null}
          busy={ask.isPending}
        />
      )}
      {trial !== null && <p className={styles.small}>{t('account.plans.trialHelp')}</p>}
      {byRow && <p className={styles.small}>{t('account.plan.notCharged')}</p>}
      {way && !byRow && standing.upgrade && (
        // The service can suggest a plan by its code only, so the name of that plan is looked up for the button.
        <UpgradeButton
          way={way}
          ask={ask}
          suggested={rows.find((plan) => matchesPlanName(plan, suggested))?.name ?? suggested}
        />
      )}
      <ErrorLine error={ask.error} />
      {products && products.packs.length > 0 && (
        <p className={styles.small}>
          {t('account.plans.packs')} <UntrustedText text={products.packs.join(' · ')} />
        </p>
      )}
    </SettingsSection>
  );
};
