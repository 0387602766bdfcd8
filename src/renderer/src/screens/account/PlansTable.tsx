import { Button } from '@mantine/core';
import { UntrustedText } from '../../components/text/UntrustedText.tsx';
import { plainly } from '../../components/text/untrustedText.ts';
import { formatCents } from '../../components/text/format.ts';
import { number } from '../../i18n/locale.ts';
import type { Plan } from './answers.ts';
import { t } from '../../i18n/t.ts';
import styles from '../settings/settings.module.css';
import own from './account.module.css';

type Choice = { tier: string; trial?: boolean };
type Props = {
  plans: readonly Plan[];
  /** Code or name of the person's plan. */
  current: string | null;
  suggested: string | null;
  /** The code of the plan that may be tried; null for none. */
  trial: string | null;
  /** Asks for the checkout of a plan; null where that is not the way. */
  choose: ((choice: Choice) => void) | null;
  busy: boolean;
};

const isNamed = ({ code, name }: Plan, said: string | null): boolean =>
  said !== null && [code, name].some((one) => one.toLowerCase() === said.toLowerCase());

const priceWords = ({ priceCents, currency }: Plan): string => {
  if (priceCents === null) return '–';
  return priceCents === 0 ? t('account.plans.free') : formatCents(priceCents, currency);
};

const figure = (value: number | null): string => (value === null ? '–' : number(value));

const trialWords = (days: number | null): string =>
  days === null ? t('account.plans.trial') : t('account.plans.trialDays', { count: days });

const Ways = ({ plan, current, trial, choose, busy }: Props & { plan: Plan }) => {
  if (isNamed(plan, current)) return <b>{t('account.plans.current')}</b>;
  if (choose === null || plan.priceCents === 0) return null;
  const { code: tier, name } = plan;
  return (
    <span className={own.ways}>
      {isNamed(plan, trial) && (
        <Button size="compact-sm" disabled={busy} onClick={() => choose({ tier, trial: true })}>
          {trialWords(plan.trialDays)}
        </Button>
      )}
      <Button
        size="compact-sm"
        disabled={busy}
        aria-label={t('account.plans.chooseName', { plan: plainly(name) })}
        onClick={() => choose({ tier })}
      >
        {t('account.plans.choose')}
      </Button>
    </span>
  );
};

/** The plans, a row each; the person's own is marked. */
export const PlansTable = (props: Props) => (
  <div className={own.tableFrame} tabIndex={0} role="group" aria-label={t('account.plans.title')}>
    <table className={own.table}>
      <thead>
        <tr>
          <th scope="col">{t('account.plan.plan')}</th>
          <th scope="col">{t('account.plans.price')}</th>
          <th scope="col">{t('account.plans.listings')}</th>
          <th scope="col">{t('account.plans.photos')}</th>
          <th scope="col">{t('account.plans.extra')}</th>
          <th scope="col">
            <span className={own.unseen}>{t('account.plans.change')}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {props.plans.map((plan) => (
          <tr key={plan.code} data-current={isNamed(plan, props.current) || undefined}>
            <th scope="row">
              <UntrustedText text={plan.name} fold={60} flag={false} />
              {isNamed(plan, props.suggested) && <span className={styles.small}> {t('account.plans.suggested')}</span>}
            </th>
            <td>{priceWords(plan)}</td>
            <td>{figure(plan.listings)}</td>
            <td>{figure(plan.photos)}</td>
            <td>{plan.extraCents === null ? '–' : formatCents(plan.extraCents, plan.currency)}</td>
            <td>
              <Ways {...props} plan={plan} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);
