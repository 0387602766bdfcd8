import { IconAlertTriangle, IconArrowBackUp } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { ApprovalView } from '../../api/types.ts';
import { Said } from '../../parts/Said.tsx';
import { Changes } from './Changes.tsx';
import { Fees } from './Fees.tsx';
import { Target } from './Target.tsx';
import { WhoAsks } from './WhoAsks.tsx';
import styles from './receipt.module.css';

const Undo = ({ undo, final }: { undo: string; final: boolean }) => (
  <p className={final ? styles.final : styles.undo}>
    {final ? <IconAlertTriangle size={16} aria-hidden /> : <IconArrowBackUp size={16} aria-hidden />}
    <span>
      <Said text={undo} />
    </span>
  </p>
);

type Props = { approval: ApprovalView; more: number; heading: (act: ReactNode) => ReactNode };

/** Everything about one question to the person, in the order in which it is read. The heading is the dialog's name. */
export const Receipt = ({ approval, more, heading }: Props) => {
  const { prompt, reason, sinceShown } = approval;
  return (
    <div className={styles.receipt}>
      <WhoAsks approval={approval} more={more} />
      {sinceShown.length > 0 && (
        <section className={styles.since} role="alert">
          <Changes changes={sinceShown} caption="Changed since you looked" />
        </section>
      )}
      {prompt.target && <Target target={prompt.target} />}
      <section className={styles.section}>
        {heading(<Said text={prompt.act} flag={false} />)}
        <p>
          <Said text={prompt.consequence} />
        </p>
      </section>
      {prompt.target && prompt.target.facts.length > 0 && (
        <dl className={styles.facts}>
          {prompt.target.facts.map((fact, at) => (
            <div key={at}>
              <dt>
                <Said text={fact.label} fold={80} />
              </dt>
              <dd>
                <Said text={fact.value} fold={160} />
              </dd>
            </div>
          ))}
        </dl>
      )}
      {prompt.changes.length > 0 && (
        <section className={styles.section}>
          <Changes changes={prompt.changes} caption="What changes" />
        </section>
      )}
      {prompt.money && <Fees money={prompt.money} />}
      {prompt.feeNotice && (
        <section className={styles.notice} aria-label="Fee notice">
          <Said text={prompt.feeNotice} />
        </section>
      )}
      <section className={styles.section}>
        <Undo undo={prompt.undo} final={prompt.final} />
      </section>
      {reason && (
        <section className={styles.section}>
          <h3 className={styles.label}>The assistant’s own words</h3>
          <blockquote className={styles.reason}>
            <Said text={reason} fold={240} />
          </blockquote>
        </section>
      )}
    </div>
  );
};
