import type { HistoryRow } from '../../../api/call.ts';
import { BatchRecord } from './BatchRecord.tsx';
import { QuestionRow, RecordRow } from './QuestionRow.tsx';
import styles from './record.module.css';
import { recordLines, withBatches, type RecordLine } from './recordLines.ts';

type RecordListProps = {
  label: string;
  rows: readonly HistoryRow[];
  brokenAt?: number | null;
  /** A batch is one line; of one listing, its own question is. */
  batched?: boolean;
};

const Line = ({ line: { approvalIds, ...line }, brokenAt }: { line: RecordLine; brokenAt: number | null }) =>
  approvalIds === null ? (
    <RecordRow row={line.newest} broken={line.newest.seq === brokenAt} />
  ) : (
    <QuestionRow line={{ approvalIds, ...line }} brokenAt={brokenAt} />
  );

/** Rows of the history, newest first, a line a question. */
export const RecordList = ({ label, rows, brokenAt = null, batched = false }: RecordListProps) => {
  const lines = recordLines(rows);
  return (
    <ol className={styles.rows} aria-label={label}>
      {(batched ? withBatches(lines) : lines).map((line) =>
        'batchId' in line ? (
          <BatchRecord key={line.batchId} found={line} brokenAt={brokenAt} />
        ) : (
          <Line key={line.approvalIds?.at(-1) ?? line.newest.seq} line={line} brokenAt={brokenAt} />
        ),
      )}
    </ol>
  );
};
