import type { HistoryRow } from '../../../api/types.ts';
import { QuestionRow } from './QuestionRow.tsx';
import { recordLines } from './recordLines.ts';
import { RecordRow } from './RecordRow.tsx';
import styles from './record.module.css';

type Props = { label: string; rows: readonly HistoryRow[]; brokenAt?: number | null };

/** Rows of the history, newest first, a line a question. */
export const RecordList = ({ label, rows, brokenAt = null }: Props) => (
  <ol className={styles.rows} aria-label={label}>
    {recordLines(rows).map(({ approvalIds, ...line }) =>
      approvalIds === null ? (
        <RecordRow key={line.newest.seq} row={line.newest} broken={line.newest.seq === brokenAt} />
      ) : (
        <QuestionRow key={approvalIds.at(-1)} line={{ approvalIds, ...line }} brokenAt={brokenAt} />
      ),
    )}
  </ol>
);
