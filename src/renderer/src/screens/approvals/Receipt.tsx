import type { ReactNode } from 'react';
import type { ApprovalView } from '../../api/types.ts';
import { UntrustedText } from '../../parts/UntrustedText.tsx';
import { Changes } from './Changes.tsx';
import { Facts } from './Facts.tsx';
import { Fees } from './Fees.tsx';
import { OwnWords } from './OwnWords.tsx';
import { Target } from './Target.tsx';
import { Undo } from './Undo.tsx';
import { WhoAsks } from './WhoAsks.tsx';
import { t } from '../../i18n/t.ts';
import { asked, titleOf } from '../../parts/promptWords.ts';
import styles from './receipt.module.css';

type Props = { approval: ApprovalView; heading: (act: ReactNode) => ReactNode };

/**
 * Everything about one question to the person, in the order in which it is read; the time that is left stands below, by
 * the answers. The heading is the dialog's name.
 */
export const Receipt = ({ approval, heading }: Props) => {
  const { prompt, reason, sinceShown } = approval;
  return (
    <div className={styles.receipt}>
      <WhoAsks {...approval} />
      {sinceShown.length > 0 && (
        <section className={styles.since} role="alert">
          <Changes changes={sinceShown} caption={t('approvals.sinceLooked')} />
        </section>
      )}
      <section className={styles.section}>
        {heading(<UntrustedText text={asked(prompt, 'act')} flag={false} />)}
        <p>
          <UntrustedText text={asked(prompt, 'consequence')} />
        </p>
      </section>
      {prompt.target && <Target target={prompt.target} title={titleOf(prompt)} />}
      <Facts prompt={prompt} />
      {prompt.changes.length > 0 && (
        <section className={styles.section}>
          <Changes changes={prompt.changes} caption={t('approvals.whatChanges')} />
        </section>
      )}
      {prompt.money && <Fees money={prompt.money} />}
      <section className={styles.section}>
        <Undo prompt={prompt} />
      </section>
      <OwnWords reason={reason} />
    </div>
  );
};
