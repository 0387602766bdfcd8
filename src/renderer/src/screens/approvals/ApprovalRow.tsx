import type { ReactNode } from 'react';
import type { ApprovalView, BatchView } from '../../api/types.ts';
import { Ago } from '../../parts/Ago.tsx';
import { timeLeft } from '../../parts/ago.ts';
import { UntrustedText } from '../../parts/UntrustedText.tsx';
import { useNow } from '../../parts/useNow.ts';
import { asked, titleOf } from '../../parts/promptWords.ts';
import { groupRows, headOf } from './batch/batchGroups.ts';
import { tickedOf } from './batch/batchRows.ts';
import { sumWords, totalsOfRows } from './batch/totals.ts';
import { feeWords } from './Fees.tsx';
import { askerOf, isWaiting, stateWords } from './stateWords.ts';
import { t } from '../../i18n/t.ts';
import { Picture } from '../../parts/Picture.tsx';
import styles from './approvalRow.module.css';

const nothingOff: ReadonlySet<string> = new Set();

const Left = ({ until }: { until: number }) => {
  const now = useNow(5_000);
  return <>{timeLeft(until, now)}</>;
};

type RowProps = {
  photoUrl: string | null;
  act: string;
  title: string | null;
  asked: Pick<ApprovalView, 'by' | 'askedAt'>;
  fee: string;
  state: string;
  end: ReactNode;
  onShow: () => void;
};

const Row = ({ photoUrl, act, title, asked: { by, askedAt }, fee, state, end, onShow }: RowProps) => (
  <li>
    <button type="button" className={styles.row} onClick={onShow}>
      {photoUrl ? <Picture src={photoUrl} alt="" width={48} height={48} /> : <span className={styles.noPhoto} />}
      <span className={styles.what}>
        <b>
          <UntrustedText text={act} fold={10_000} flag={false} />
        </b>
        {title !== null && (
          <span className={styles.title}>
            <UntrustedText text={title} fold={10_000} flag={false} />
          </span>
        )}
        <span className={styles.soft}>
          <UntrustedText text={askerOf({ by })} fold={10_000} flag={false} /> · <Ago at={askedAt} />
        </span>
      </span>
      <span className={styles.end}>
        <b>{fee}</b>
        <span data-state={state} className={styles.state}>
          {end}
        </span>
      </span>
    </button>
  </li>
);

const standOf = (approval: ApprovalView): ReactNode => {
  if (approval.differences.length > 0) return t('approvals.differs.short');
  return isWaiting(approval) ? <Left until={approval.expiresAt} /> : stateWords(approval);
};

/** One question as a row: the same receipt, folded to its photo, act, state and total. A click unfolds it. */
export const ApprovalRow = ({ approval, onShow }: { approval: ApprovalView; onShow: (id: string) => void }) => (
  <Row
    photoUrl={approval.prompt.target?.photoUrl ?? null}
    act={asked(approval.prompt, 'act')}
    title={approval.prompt.target && titleOf(approval.prompt)}
    asked={approval}
    fee={feeWords(approval.prompt.money)}
    state={approval.differences.length > 0 ? 'differs' : approval.state}
    end={standOf(approval)}
    onShow={() => onShow(approval.approvalId)}
  />
);

/** A batch as a row of the same form. */
export const WaitingBatchRow = ({ batch, onShow }: { batch: BatchView; onShow: (id: string) => void }) => {
  const first = batch.rows.find(({ approval }) => approval !== null)?.approval;
  return (
    <Row
      photoUrl={first?.prompt.target?.photoUrl ?? null}
      act={groupRows(batch.rows).map(headOf).join(' · ')}
      title={null}
      asked={batch}
      fee={sumWords(totalsOfRows(tickedOf(batch.rows, nothingOff)))}
      state="pending"
      end={first ? <Left until={first.expiresAt} /> : ''}
      onShow={() => onShow(batch.batchId)}
    />
  );
};
