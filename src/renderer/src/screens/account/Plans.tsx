import { Button } from '@mantine/core';
import { UntrustedText, escapedText } from '../../components/text/UntrustedText.tsx';
import { formatCents, formatNumber } from '../../components/text/format.ts';
import { type Plan, useAskAccount, usePlans, useProducts, type AccountRequest } from './useAccount.ts';
import { t } from '../../i18n.ts';
import styles from '../settings/settings.module.css';
import own from './account.module.css';
import { Trans } from 'react-i18next';
import { sentenceOf, type Standing } from '../../api/call.ts';
import { isUnknownRecord } from '../../api/unknownRecord.ts';
import { ProblemLine } from '../../components/Page.tsx';

type Choice = { tier: string; trial?: boolean };
type Props = {
  plans: readonly Plan[];
  /** Code or name of the person's current plan. */
  current: string | null;
  suggested: string | null;
  /** The code of the plan that offers a trial; null if there is none. */
  trial: string | null;
  /** Requests a checkout for a plan; null if plans are not chosen per row. */
  choose: ((choice: Choice) => void) | null;
  busy: boolean;
};

const isNamed = ({ code, name }: Plan, said: string | null): boolean =>
  said !== null && [code, name].some((one) => one.toLowerCase() === said.toLowerCase());

const priceText = ({ priceCents, currency }: Plan): string => {
  if (priceCents === null) return '–';
  return priceCents === 0 ? t('account.plans.free') : formatCents(priceCents, currency);
};

const figure = (value: number | null): string => (value === null ? '–' : formatNumber(value));

const trialLabel = (days: number | null): string =>
  days === null ? t('account.plans.trial') : t('account.plans.trialDays', { count: days });

const PlanActions = ({ plan, current, trial, choose, busy }: Props & { plan: Plan }) => {
  if (isNamed(plan, current)) return <b>{t('account.plans.current')}</b>;
  if (choose === null || plan.priceCents === 0) return null;
  const { code: tier, name } = plan;
  return (
    <span className={own.ways}>
      {isNamed(plan, trial) && (
        <Button size="compact-sm" disabled={busy} onClick={() => choose({ tier, trial: true })}>
          {trialLabel(plan.trialDays)}
        </Button>
      )}
      <Button
        size="compact-sm"
        disabled={busy}
        aria-label={t('account.plans.chooseName', { plan: escapedText(name) })}
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
          <tr key={plan.code} data-current={isNamed(plan, props.current) || undefined}>
            <th scope="row">
              <UntrustedText text={plan.name} fold={60} flag={false} />
              {isNamed(plan, props.suggested) && <span className={styles.small}> {t('account.plans.suggested')}</span>}
            </th>
            <td>{priceText(plan)}</td>
            <td>{figure(plan.listings)}</td>
            <td>{figure(plan.photos)}</td>
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

/** How the service lets the person change the plan: a checkout page, the billing portal, or a message. */
type UpgradeOption =
  | { kind: 'checkout'; body: { tier: string; trial?: boolean } }
  | { kind: 'portal'; body: Record<string, unknown> }
  | { kind: 'words'; words: string };

const checkoutOf = (body: unknown): UpgradeOption | null => {
  if (!isUnknownRecord(body) || typeof body.tier !== 'string' || body.tier === '') return null;
  return { kind: 'checkout', body: { tier: body.tier, ...(body.trial === true ? { trial: true } : {}) } };
};

/** Parses `upgrade.how`, whose shape the API leaves open. Returns null if it contains no known option. */
export const upgradeOption = (how: unknown): UpgradeOption | null => {
  if (!isUnknownRecord(how)) return null;
  if (how.openApp !== undefined && how.openApp !== false)
    return typeof how.tellThePerson === 'string' ? { kind: 'words', words: how.tellThePerson } : null;
  const call = isUnknownRecord(how.call) ? how.call : how;
  if (typeof call.path === 'string' && call.path.includes('portal'))
    return { kind: 'portal', body: isUnknownRecord(call.body) ? call.body : {} };
  return checkoutOf(call.body) ?? checkoutOf(call);
};

type Checkout = Extract<UpgradeOption, { kind: 'checkout' }>;

const checkout = (ask: AccountRequest, body: Checkout['body']): void =>
  ask.mutate({ route: 'createCheckoutToken', input: { body } });

/** Shows an option that is not tied to a row of the table: the billing portal, a message, or a single checkout. */
const UpgradeButton = ({
  way,
  ask,
  suggested,
}: {
  way: UpgradeOption;
  ask: AccountRequest;
  suggested: string | null;
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

/** Every plan with the figures of the service, and each way to change the plan that the service offers. */
export const Plans = ({ standing }: { standing: Standing }) => {
  const plans = usePlans();
  const products = useProducts().data;
  const ask = useAskAccount();
  const way = upgradeOption(standing.upgrade?.how);
  const rows = plans.data ?? [];
  const byRow = way?.kind === 'checkout' && rows.length > 0;
  const mayTry = standing.upgrade?.offerTrial === true && products?.mayTry === true;
  const suggested = standing.upgrade?.suggestedPlan ?? null;
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
          suggested={suggested}
          trial={trial}
          choose={byRow ? (body) => checkout(ask, body) : null}
          busy={ask.isPending}
        />
      )}
      {trial !== null && <p className={styles.small}>{t('account.plans.trialHelp')}</p>}
      {byRow && <p className={styles.small}>{t('account.plan.notCharged')}</p>}
      {way && !byRow && standing.upgrade && (
        // The service may suggest a plan by its code; show its name.
        <UpgradeButton
          way={way}
          ask={ask}
          suggested={rows.find((plan) => isNamed(plan, suggested))?.name ?? suggested}
        />
      )}
      {ask.error && <ProblemLine>{sentenceOf(ask.error)}</ProblemLine>}
      {products && products.packs.length > 0 && (
        <p className={styles.small}>
          {t('account.plans.packs')} <UntrustedText text={products.packs.join(' · ')} />
        </p>
      )}
    </section>
  );
};
