import type { ReactNode } from 'react';
import type { ApprovalView } from '../../api/types.ts';
import { Said } from '../../parts/Said.tsx';
import { Changes } from './Changes.tsx';
import { Facts } from './Facts.tsx';
import { Fees } from './Fees.tsx';
import { Target } from './Target.tsx';
import { Undo } from './Undo.tsx';
import { WhoAsks } from './WhoAsks.tsx';
import { t } from '../../i18n/t.ts';
import { asked, titleOf } from '../../parts/promptWords.ts';
import styles from './receipt.module.css';

type Props = { approval: ApprovalView; more: number; heading: (act: ReactNode) => ReactNode };

/** Everything about one question to the person, in the order in which it is read. The heading is the dialog's name. */
export const Receipt = ({ approval, more, heading }: Props) => {
  const { prompt, reason, sinceShown } = approval;
  return (
    <div className={styles.receipt}>
      <WhoAsks approval={approval} more={more} />
      {sinceShown.length > 0 && (
        <section className={styles.since} role="alert">
          <Changes changes={sinceShown} caption={t('approvals.sinceLooked')} />
        </section>
      )}
      {prompt.target && <Target target={prompt.target} title={titleOf(prompt)} />}
      <section className={styles.section}>
        {heading(<Said text={asked(prompt, 'act')} flag={false} />)}
        <p>
          <Said text={asked(prompt, 'consequence')} />
        </p>
      </section>
      {prompt.target && prompt.target.facts.length > 0 && <Facts facts={prompt.target.facts} />}
      {prompt.changes.length > 0 && (
        <section className={styles.section}>
          <Changes changes={prompt.changes} caption={t('approvals.whatChanges')} />
        </section>
      )}
      {prompt.money && <Fees money={prompt.money} />}
      {!prompt.final && (
        <section className={styles.section}>
          <Undo prompt={prompt} />
        </section>
      )}
      {reason && (
        <section className={styles.section}>
          <h3 className={styles.label}>{t('approvals.ownWords')}</h3>
          <blockquote className={styles.reason}>
            <Said text={reason} fold={240} />
          </blockquote>
        </section>
      )}
    </div>
  );
};
