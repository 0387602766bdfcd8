import type { ApprovalView } from '../../api/types.ts';
import { timeLeft } from '../../parts/ago.ts';
import { Said } from '../../parts/Said.tsx';
import { useNow } from '../../parts/useNow.ts';
import { isWaiting } from './stateWords.ts';
import styles from './receipt.module.css';

const TimeLeft = ({ until }: { until: number }) => {
  const now = useNow(1_000);
  return <span className={styles.left}>{timeLeft(until, now)}</span>;
};

/** Who asks, and how long the question stands. */
export const WhoAsks = ({ approval }: { approval: ApprovalView }) => (
  <header className={styles.who}>
    {approval.by.kind === 'person' ? (
      <span>You asked for this</span>
    ) : (
      <span>
        <b>
          <Said text={approval.by.name} fold={80} />
        </b>{' '}
        asks <span className={styles.small}>(a name it gave itself)</span>
      </span>
    )}
    {isWaiting(approval) && <TimeLeft until={approval.expiresAt} />}
  </header>
);
