import { SettingsSection } from '../settings/SettingsSection.tsx';
import { Button, TextInput } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import * as z from 'zod';
import { limits } from '../../../../contract/index.ts';
import { CallError, type Standing } from '../../api/call.ts';
import { formatMinorAmount, formatDay, formatNumber } from '../../components/text/format.ts';
import { ErrorLine, ProblemLine } from '../../components/ScreenPage.tsx';
import { TurnOnExtras, useExtrasRequest, type ExtrasRequest } from '../approvals/ExtrasFollowUp.tsx';
import { FactLines } from '../../components/fields/SettingLines.tsx';
import { t } from '../../i18n.ts';
import styles from '../settings/settings.module.css';
import { useApprovalHistory, useAccountStanding } from '../../api/queries.ts';
import { UntrustedText } from '../../components/text/UntrustedText.tsx';
import { useAccountPlans } from './useAccount.ts';
import { matchesPlanName, PlansSection } from './PlansSection.tsx';
import own from './account.module.css';

type ReportedExtras = NonNullable<Standing['allowance']['extras']>;
type OnExtrasRequest = (act: ExtrasRequest) => void;

const maxExtras = limits.extras.perApproval;

const describeExtrasState = ({ enabled, available, rateCents, approval }: ReportedExtras): string => {
  if (!enabled) return available === false ? t('account.extras.notWithPlan') : t('account.extras.off');
  const on =
    typeof rateCents === 'number'
      ? t('account.extras.onAt', { rate: formatMinorAmount(rateCents, 'USD') })
      : t('account.extras.on');
  return approval
    ? t('account.extras.aside', { on, count: approval.remaining })
    : t('account.extras.asideNone', { on });
};

const setAsideSchema = z.object({
  count: z
    .string()
    .trim()
    .regex(/^\d{1,3}$/)
    .transform(Number)
    .pipe(z.int().min(1).max(maxExtras)),
});

const SetAsideForm = ({ rateCents, busy, ask }: { rateCents: number; busy: boolean; ask: OnExtrasRequest }) => {
  const form = useForm({ initialValues: { count: '1' }, validate: schemaResolver(setAsideSchema, { sync: true }) });
  const typed = setAsideSchema.safeParse(form.values).data;
  const onSubmit = form.onSubmit((values) => ask({ act: 'aside', ...setAsideSchema.parse(values), rateCents }));
  // Translates the error during the render, because the person can change the language while the error is shown.
  const wrong = form.errors['count'] ? t('account.extras.wrong', { most: maxExtras }) : null;
  return (
    <form className={styles.aside} onSubmit={onSubmit} aria-label={t('account.extras.setAside')} noValidate>
      <TextInput
        label={t('account.extras.howMany', { most: maxExtras })}
        inputMode="numeric"
        {...form.getInputProps('count')}
        error={wrong}
      />
      <Button type="submit" loading={busy}>
        {t('account.extras.setAsideNow')}
      </Button>
      <span className={styles.small}>
        {typed && t('account.extras.most', { amount: formatMinorAmount(typed.count * rateCents, 'USD') })}
      </span>
    </form>
  );
};

const formatRateChange = (rateCents: number): string =>
  t('account.extras.rateChanged', { rate: formatMinorAmount(rateCents, 'USD') });

const ExtrasRefusal = ({
  error,
  rateCents,
  last,
  ask,
}: {
  error: unknown;
  rateCents: number | null;
  last: ExtrasRequest | undefined;
  ask: OnExtrasRequest;
}) => {
  const off = error instanceof CallError && error.code === 'EXTRAS_OFF' && rateCents !== null;
  if (off)
    return (
      <div className={styles.line}>
        <ProblemLine>{t('account.extras.offFirst')}</ProblemLine>
        <Button onClick={() => ask({ act: 'on', rateCents })}>{t('account.extras.turnOn')}</Button>
      </div>
    );
  const changed = error instanceof CallError && error.code === 'RATE_CHANGED' && rateCents !== null;
  if (!changed || !last || last.act === 'off') return <ErrorLine error={error} />;
  return (
    <div className={styles.line}>
      <ProblemLine>{formatRateChange(rateCents)}</ProblemLine>
      <Button onClick={() => ask({ ...last, rateCents })}>
        {t('account.extras.againAt', { rate: formatMinorAmount(rateCents, 'USD') })}
      </Button>
    </div>
  );
};

const useIsExtrasEmailMissing = (): boolean => {
  const decided = (useApprovalHistory().data ?? []).filter(
    ({ route, decidedAt }) => (route === 'setExtras' || route === 'approveExtras') && decidedAt !== null,
  );
  const last = decided.sort((a, b) => (b.decidedAt ?? 0) - (a.decidedAt ?? 0))[0];
  return last?.outcome?.code === 'EXTRAS_ON_UNCONFIRMED';
};

const ExtrasSection = ({ extras }: { extras: ReportedExtras }) => {
  const asked = useExtrasRequest();
  const rateCents = extras.rateCents ?? null;
  const unconfirmed = useIsExtrasEmailMissing();
  return (
    <>
      <FactLines facts={[[t('account.extras.title'), describeExtrasState(extras)]]} />
      {extras.enabled && unconfirmed && <TurnOnExtras code="EXTRAS_ON_UNCONFIRMED" />}
      {extras.enabled && (
        <div className={styles.line}>
          <Button loading={asked.isPending} onClick={() => asked.mutate({ act: 'off' })}>
            {t('account.extras.turnOff')}
          </Button>
        </div>
      )}
      {!extras.enabled && extras.available !== false && rateCents !== null && (
        <div className={styles.line}>
          <Button loading={asked.isPending} onClick={() => asked.mutate({ act: 'on', rateCents })}>
            {t('account.extras.turnOn')}
          </Button>
          <span className={styles.small}>
            {t('account.extras.each', { rate: formatMinorAmount(rateCents, 'USD') })}
          </span>
        </div>
      )}
      {extras.enabled && rateCents !== null && (
        <SetAsideForm rateCents={rateCents} busy={asked.isPending} ask={asked.mutate} />
      )}
      {asked.error && (
        <ExtrasRefusal error={asked.error} rateCents={rateCents} last={asked.variables} ask={asked.mutate} />
      )}
    </>
  );
};

const formatAllowanceLeft = ({ remaining, resetsAt }: Standing['allowance']): string => {
  const count = remaining;
  return resetsAt
    ? t('account.plan.listingsUntil', { count, day: formatDay(Date.parse(resetsAt), 'long') })
    : t('account.plan.listings', { count });
};

const findTrialEndAt = (plan: Standing['plan']): number | null => {
  const at = Date.parse(typeof plan?.['trialEndsAt'] === 'string' ? plan['trialEndsAt'] : '');
  return Number.isNaN(at) ? null : at;
};

const listPlanFacts = ({ allowance, plan }: Standing): [string, string][] => {
  const trial = findTrialEndAt(plan);
  const trialFacts: [string, string][] =
    trial === null ? [] : [[t('account.plan.trialEnds'), formatDay(trial, 'long')]];
  return [
    [t('account.plan.plan'), plan?.name ?? plan?.code ?? t('account.plan.notNamed')],
    ...trialFacts,
    [t('account.plan.left'), formatAllowanceLeft(allowance)],
    [t('account.plan.credits'), t('account.plan.listings', { count: allowance.creditBalance })],
  ];
};

/** The meter needs the listings of the plan, which the service names only in the list of all plans. */
const PlanMeter = ({ standing: { allowance, plan } }: { standing: Standing }) => {
  const current = plan?.code ?? plan?.name ?? null;
  const plans = useAccountPlans();
  const all = plans.data?.find((one) => matchesPlanName(one, current))?.listings ?? null;
  if (plans.isPending) return <div className={own.plan} />;
  if (all === null || all <= 0) return null;
  const left = Math.min(all, Math.max(0, allowance.remaining));
  return (
    <div className={own.plan}>
      <p>
        <b>{formatNumber(left)}</b> {t('account.plan.leftOf', { count: all, number: formatNumber(all) })}
      </p>
      <div
        role="meter"
        aria-label={t('account.plan.left')}
        aria-valuemin={0}
        aria-valuemax={all}
        aria-valuenow={left}
        className={own.meter}
      >
        <span style={{ width: `${(left / all) * 100}%` }} />
      </div>
    </div>
  );
};

/** Shows the sentences in the wording and in the order of the service. */
const ServiceMessages = ({ steps }: { steps: NonNullable<Standing['nextSteps']> }) => {
  const sentences = steps.flatMap(({ tellThePerson }) => tellThePerson ?? []);
  if (sentences.length === 0) return null;
  return (
    <ul className={own.steps} aria-label={t('account.plan.says')}>
      {sentences.map((text) => (
        <li key={text}>
          <UntrustedText text={text} />
        </li>
      ))}
    </ul>
  );
};

export const PlanSection = () => {
  const { data: standing, error } = useAccountStanding();
  return (
    <>
      <SettingsSection title={t('account.plan.title')} error={error} isLoading={!standing && !error}>
        {standing && (
          <>
            <ServiceMessages steps={standing.nextSteps ?? []} />
            <PlanMeter standing={standing} />
            <FactLines facts={listPlanFacts(standing)} />
            {standing.allowance.extras && <ExtrasSection extras={standing.allowance.extras} />}
          </>
        )}
      </SettingsSection>
      {standing && <PlansSection standing={standing} />}
    </>
  );
};
