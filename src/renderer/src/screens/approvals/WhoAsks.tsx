import { Trans } from 'react-i18next';
import type { ApprovalView } from '../../api/types.ts';
import { Ago } from '../../parts/Ago.tsx';
import { timeLeft } from '../../parts/ago.ts';
import { Said } from '../../parts/Said.tsx';
import { useNow } from '../../parts/useNow.ts';
import { isWaiting } from './stateWords.ts';
import { t } from '../../i18n/t.ts';
import styles from './receipt.module.css';

const TimeLeft = ({ until }: { until: number }) => {
  const now = useNow(1_000);
  return <>{timeLeft(until, now)}</>;
};

const Asker = ({ approval }: { approval: ApprovalView }) =>
  approval.by.kind === 'person' ? (
    <b>{t('approvals.youAsked')}</b>
  ) : (
    <Trans
      i18nKey="approvals.asks"
      components={{
        name: (
          <b>
            <Said text={approval.by.name} fold={80} />
          </b>
        ),
      }}
    />
  );

/** Who asks and when, and how long the question stands. */
export const WhoAsks = ({ approval, more }: { approval: ApprovalView; more: number }) => (
  <header className={styles.who}>
    <div>
      <p>
        <Asker approval={approval} />
      </p>
      <p className={styles.small}>
        {approval.by.kind === 'assistant' && `${t('approvals.ownName')} · `}
        <Ago at={approval.askedAt} />
      </p>
    </div>
    {isWaiting(approval) && (
      <div className={styles.left}>
        <p>
          <TimeLeft until={approval.expiresAt} />
        </p>
        {more > 0 && <p>{t('approvals.moreAfter', { count: more })}</p>}
      </div>
    )}
  </header>
);
