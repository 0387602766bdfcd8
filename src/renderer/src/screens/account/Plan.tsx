import { sentenceOf } from '../../api/call.ts';
import { useStanding } from '../../api/queries.ts';
import type { Standing } from '../../api/types.ts';
import { ProblemLine } from '../../components/ProblemLine.tsx';
import { UntrustedText } from '../../components/text/UntrustedText.tsx';
import { Facts } from '../settings/Facts.tsx';
import { Extras } from './Extras.tsx';
import { Plans } from './Plans.tsx';
import { t } from '../../i18n/t.ts';
import { dayWords } from '../../i18n/locale.ts';
import styles from '../settings/settings.module.css';
import own from './account.module.css';

const leftWords = ({ remaining, resetsAt }: Standing['allowance']): string => {
  const count = remaining;
  return resetsAt
    ? t('account.plan.listingsUntil', { count, day: dayWords(Date.parse(resetsAt), 'long') })
    : t('account.plan.listings', { count });
};

const trialEnd = (plan: Standing['plan']): number | null => {
  const at = Date.parse(typeof plan?.['trialEndsAt'] === 'string' ? plan['trialEndsAt'] : '');
  return Number.isNaN(at) ? null : at;
};

const factsOf = ({ allowance, plan }: Standing): [string, string][] => {
  const trial = trialEnd(plan);
  const trialFacts: [string, string][] = trial === null ? [] : [[t('account.plan.trialEnds'), dayWords(trial, 'long')]];
  return [
    [t('account.plan.plan'), plan?.name ?? plan?.code ?? t('account.plan.notNamed')],
    ...trialFacts,
    [t('account.plan.left'), leftWords(allowance)],
    [t('account.plan.credits'), t('account.plan.listings', { count: allowance.creditBalance })],
  ];
};

/** What the service wants the person to know now, in its words and its order. */
const NextSteps = ({ steps }: { steps: NonNullable<Standing['nextSteps']> }) => {
  const said = steps.flatMap(({ tellThePerson }) => tellThePerson ?? []);
  if (said.length === 0) return null;
  return (
    <ul className={own.steps} aria-label={t('account.plan.says')}>
      {said.map((text) => (
        <li key={text}>
          <UntrustedText text={text} />
        </li>
      ))}
    </ul>
  );
};

/** What is left, credits, paid extras, and the plans there are. */
export const Plan = () => {
  const { data: standing, error } = useStanding();
  return (
    <>
      <section aria-label={t('account.plan.title')} className={styles.plan} aria-busy={!standing && !error}>
        <h2>{t('account.plan.title')}</h2>
        {error && <ProblemLine>{sentenceOf(error)}</ProblemLine>}
        {!standing && !error && <div className={own.coming} />}
        {standing && (
          <>
            <NextSteps steps={standing.nextSteps ?? []} />
            <Facts facts={factsOf(standing)} />
            {standing.allowance.extras && <Extras extras={standing.allowance.extras} />}
          </>
        )}
      </section>
      {standing && <Plans standing={standing} />}
    </>
  );
};
