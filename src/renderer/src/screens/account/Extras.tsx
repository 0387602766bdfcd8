import { Button, TextInput } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import * as z from 'zod';
import { limits } from '../../../../contract/index.ts';
import { CallError, sentenceOf } from '../../api/callError.ts';
import type { Standing } from '../../api/types.ts';
import { formatMinor } from '../../parts/money.ts';
import { ProblemLine } from '../../parts/ProblemLine.tsx';
import { useExtras, type ExtrasAct } from '../approvals/extras/useExtras.ts';
import { Facts } from '../settings/Facts.tsx';
import { t } from '../../i18n/t.ts';
import styles from '../settings/settings.module.css';

type Reported = NonNullable<Standing['allowance']['extras']>;
type Ask = (act: ExtrasAct) => void;

const most = limits.extras.perApproval;

const standWords = ({ enabled, available, rateCents, approval }: Reported): string => {
  if (!enabled) return available === false ? t('account.extras.notWithPlan') : t('account.extras.off');
  const on =
    typeof rateCents === 'number'
      ? t('account.extras.onAt', { rate: formatMinor(rateCents, 'USD') })
      : t('account.extras.on');
  return approval
    ? t('account.extras.aside', { on, count: approval.remaining })
    : t('account.extras.asideNone', { on });
};

/** A count as it is typed. */
const aside = z.object({
  count: z
    .string()
    .trim()
    .regex(/^\d{1,3}$/)
    .transform(Number)
    .pipe(z.int().min(1).max(most)),
});

/** How many paid extras may be used in the next 24 hours. */
const Aside = ({ rateCents, busy, ask }: { rateCents: number; busy: boolean; ask: Ask }) => {
  const form = useForm({ initialValues: { count: '1' }, validate: schemaResolver(aside, { sync: true }) });
  const typed = aside.safeParse(form.values).data;
  const onSubmit = form.onSubmit((values) => ask({ act: 'aside', ...aside.parse(values), rateCents }));
  // What is wrong is put into words here, as the language may change while it stands.
  const wrong = form.errors['count'] ? t('account.extras.wrong', { most }) : null;
  return (
    <form className={styles.aside} onSubmit={onSubmit} aria-label={t('account.extras.setAside')} noValidate>
      <TextInput
        label={t('account.extras.howMany', { most })}
        inputMode="numeric"
        {...form.getInputProps('count')}
        error={wrong}
      />
      <Button type="submit" loading={busy}>
        {t('account.extras.setAsideNow')}
      </Button>
      <span className={styles.small}>
        {typed && t('account.extras.most', { amount: formatMinor(typed.count * rateCents, 'USD') })}
      </span>
    </form>
  );
};

const rateWords = (rateCents: number): string =>
  t('account.extras.rateChanged', { rate: formatMinor(rateCents, 'USD') });

/** Why it was refused: where extras are off, how to turn them on; a changed rate with the new one, to be asked about again. */
const Refused = ({
  error,
  rateCents,
  last,
  ask,
}: {
  error: unknown;
  rateCents: number | null;
  last: ExtrasAct | undefined;
  ask: Ask;
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
  if (!changed || !last || last.act === 'off') return <ProblemLine>{sentenceOf(error)}</ProblemLine>;
  return (
    <div className={styles.line}>
      <ProblemLine>{rateWords(rateCents)}</ProblemLine>
      <Button onClick={() => ask({ ...last, rateCents })}>
        {t('account.extras.againAt', { rate: formatMinor(rateCents, 'USD') })}
      </Button>
    </div>
  );
};

/** Paid extra listings: on or off at the reported rate, and how many are set aside. */
export const Extras = ({ extras }: { extras: Reported }) => {
  const asked = useExtras();
  const rateCents = extras.rateCents ?? null;
  return (
    <>
      <Facts facts={[[t('account.extras.title'), standWords(extras)]]} />
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
          <span className={styles.small}>{t('account.extras.each', { rate: formatMinor(rateCents, 'USD') })}</span>
        </div>
      )}
      {(extras.enabled || extras.available !== false) && rateCents !== null && (
        <Aside rateCents={rateCents} busy={asked.isPending} ask={asked.mutate} />
      )}
      {asked.error && <Refused error={asked.error} rateCents={rateCents} last={asked.variables} ask={asked.mutate} />}
    </>
  );
};
