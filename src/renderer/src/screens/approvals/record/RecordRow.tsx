import type { HistoryRow } from '../../../api/types.ts';
import { Ago } from '../../../parts/Ago.tsx';
import { Said } from '../../../parts/Said.tsx';
import { usePrompts } from '../usePrompts.ts';
import { approvalOf, recordWords } from './recordWords.ts';
import styles from './record.module.css';

const Words = ({ row }: { row: HistoryRow }) => (
  <>
    <span className={styles.what}>
      <Said text={recordWords(row)} fold={160} flag={false} />
    </span>
    {row.title !== null && (
      <span className={styles.soft}>
        <Said text={row.title} fold={10_000} flag={false} />
      </span>
    )}
  </>
);

/** One row of the history. A click opens the question that it is about. */
export const RecordRow = ({ row, broken }: { row: HistoryRow; broken: boolean }) => {
  const { show } = usePrompts();
  const approvalId = approvalOf(row);
  return (
    <li className={styles.row} data-broken={broken || undefined}>
      <span className={styles.seq}>{row.seq}</span>
      {approvalId === null ? (
        <span className={styles.words}>
          <Words row={row} />
        </span>
      ) : (
        <button type="button" className={styles.words} onClick={() => show(approvalId)}>
          <Words row={row} />
        </button>
      )}
      <span className={styles.at}>
        <Ago at={row.at} />
      </span>
    </li>
  );
};
