import type { ApprovalView } from '../../api/types.ts';
import { Ago } from '../../parts/Ago.tsx';
import { timeLeft } from '../../parts/ago.ts';
import { Said } from '../../parts/Said.tsx';
import { useNow } from '../../parts/useNow.ts';
import { isWaiting } from './stateWords.ts';
import styles from './receipt.module.css';

const TimeLeft = ({ until }: { until: number }) => {
  const now = useNow(1_000);
  return <>{timeLeft(until, now)}</>;
};

const Asker = ({ approval }: { approval: ApprovalView }) =>
  approval.by.kind === 'person' ? (
    <b>You asked for this</b>
  ) : (
    <>
      <b>
        <Said text={approval.by.name} fold={80} />
      </b>{' '}
      asks
    </>
  );

/** Who asks and when, and how long the question stands. */
export const WhoAsks = ({ approval, more }: { approval: ApprovalView; more: number }) => (
  <header className={styles.who}>
    <div>
      <p>
        <Asker approval={approval} />
      </p>
      <p className={styles.small}>
        {approval.by.kind === 'assistant' && 'A name it gave itself · '}
        <Ago at={approval.askedAt} />
      </p>
    </div>
    {isWaiting(approval) && (
      <div className={styles.left}>
        <p>
          <TimeLeft until={approval.expiresAt} />
        </p>
        {more > 0 && (
          <p>
            {more} more {more === 1 ? 'waits' : 'wait'} after this one
          </p>
        )}
      </div>
    )}
  </header>
);
