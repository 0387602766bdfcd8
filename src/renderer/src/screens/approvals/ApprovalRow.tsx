import type { ApprovalView } from '../../api/types.ts';
import { Ago } from '../../parts/Ago.tsx';
import { timeLeft } from '../../parts/ago.ts';
import { Said } from '../../parts/Said.tsx';
import { useNow } from '../../parts/useNow.ts';
import { feeWords } from './Fees.tsx';
import { askerOf, isWaiting, stateWords } from './stateWords.ts';
import { asked, titleOf } from '../../parts/promptWords.ts';
import styles from './approvalRow.module.css';

const Left = ({ until }: { until: number }) => {
  const now = useNow(5_000);
  return <>{timeLeft(until, now)}</>;
};

/** One question as a row: the same receipt, folded to its photo, act, state and total. A click unfolds it. */
export const ApprovalRow = ({ approval, onShow }: { approval: ApprovalView; onShow: (id: string) => void }) => (
  <li>
    <button type="button" className={styles.row} onClick={() => onShow(approval.approvalId)}>
      {approval.prompt.target?.photoUrl ? (
        <img src={approval.prompt.target.photoUrl} alt="" width={48} height={48} />
      ) : (
        <span className={styles.noPhoto} />
      )}
      <span className={styles.what}>
        <b>
          <Said text={asked(approval.prompt, 'act')} fold={10_000} flag={false} />
        </b>
        {approval.prompt.target && (
          <span className={styles.title}>
            <Said text={titleOf(approval.prompt)} fold={10_000} flag={false} />
          </span>
        )}
        <span className={styles.soft}>
          <Said text={askerOf(approval)} fold={10_000} flag={false} /> · <Ago at={approval.askedAt} />
        </span>
      </span>
      <span className={styles.end}>
        <b>{feeWords(approval.prompt.money)}</b>
        <span data-state={approval.state} className={styles.state}>
          {isWaiting(approval) ? <Left until={approval.expiresAt} /> : stateWords(approval.state)}
        </span>
      </span>
    </button>
  </li>
);
