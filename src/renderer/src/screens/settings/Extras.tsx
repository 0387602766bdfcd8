import { Button, TextInput } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { limits } from '../../../../contract/index.ts';
import { CallError, sentenceOf } from '../../api/callError.ts';
import type { Standing } from '../../api/types.ts';
import { formatMinor } from '../../parts/money.ts';
import { ProblemLine } from '../../parts/ProblemLine.tsx';
import { useExtras, type ExtrasAct } from '../approvals/extras/useExtras.ts';
import { Facts } from './Facts.tsx';
import styles from './settings.module.css';

type Reported = NonNullable<Standing['allowance']['extras']>;
type Ask = (act: ExtrasAct) => void;

const most = limits.extras.perApproval;

const standWords = ({ enabled, available, rateCents, approval }: Reported): string => {
  if (!enabled) return available === false ? 'Not with this plan' : 'Off';
  const rate = typeof rateCents === 'number' ? `On, ${formatMinor(rateCents, 'USD')} each` : 'On';
  return approval ? `${rate}, ${approval.remaining} set aside and not used` : `${rate}, none set aside`;
};

/** How many paid extras may be used in the next 24 hours. */
const Aside = ({ rateCents, busy, ask }: { rateCents: number; busy: boolean; ask: Ask }) => {
  const [text, setText] = useState('1');
  const [wrong, setWrong] = useState(false);
  const count = /^\d{1,3}$/.test(text.trim()) ? Number(text) : 0;
  const isCount = count >= 1 && count <= most;
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    setWrong(!isCount);
    if (isCount) ask({ act: 'aside', count, rateCents });
  };
  return (
    <form className={styles.aside} onSubmit={onSubmit} aria-label="Set aside extras">
      <TextInput
        label={`Extras to set aside, 1 to ${most}`}
        inputMode="numeric"
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <Button type="submit" loading={busy}>
        Set aside extras…
      </Button>
      <span className={styles.small}>
        {isCount && `Up to ${formatMinor(count * rateCents, 'USD')}; only those that are used are charged.`}
      </span>
      {wrong && <ProblemLine>A whole number from 1 to {most} is needed.</ProblemLine>}
    </form>
  );
};

const rateWords = (rateCents: number): string =>
  `The rate has changed: an extra listing now costs ${formatMinor(rateCents, 'USD')}. Nothing was changed or charged.`;

/** Why it was refused; a changed rate is said with the new one, to be asked about again. */
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
  const changed = error instanceof CallError && error.code === 'RATE_CHANGED' && rateCents !== null;
  if (!changed || !last || last.act === 'off') return <ProblemLine>{sentenceOf(error)}</ProblemLine>;
  return (
    <div className={styles.line}>
      <ProblemLine>{rateWords(rateCents)}</ProblemLine>
      <Button onClick={() => ask({ ...last, rateCents })}>Ask again at {formatMinor(rateCents, 'USD')}…</Button>
    </div>
  );
};

/** Paid extra listings: on or off at the reported rate, and how many are set aside. */
export const Extras = ({ extras }: { extras: Reported }) => {
  const asked = useExtras();
  const rateCents = extras.rateCents ?? null;
  return (
    <>
      <Facts facts={[['Extra listings', standWords(extras)]]} />
      {extras.enabled && (
        <div className={styles.line}>
          <Button loading={asked.isPending} onClick={() => asked.mutate({ act: 'off' })}>
            Turn extras off…
          </Button>
        </div>
      )}
      {!extras.enabled && extras.available !== false && rateCents !== null && (
        <div className={styles.line}>
          <Button loading={asked.isPending} onClick={() => asked.mutate({ act: 'on', rateCents })}>
            Turn extras on…
          </Button>
          <span className={styles.small}>{formatMinor(rateCents, 'USD')} for each, beyond plan and credits.</span>
        </div>
      )}
      {extras.enabled && rateCents !== null && (
        <Aside rateCents={rateCents} busy={asked.isPending} ask={asked.mutate} />
      )}
      {asked.error && <Refused error={asked.error} rateCents={rateCents} last={asked.variables} ask={asked.mutate} />}
    </>
  );
};
