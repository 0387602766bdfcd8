import type { HistoryRow } from '../../../api/types.ts';
import { approvalOf, replacedBy } from './recordWords.ts';

/**
 * One line of the history: a question with the rows about it that were found, newest first, or a row by itself. A question
 * whose prompt was replaced has an id for each of them, the newest first.
 */
export type RecordLine = { approvalIds: [string, ...string[]] | null; newest: HistoryRow; rows: HistoryRow[] };

/** The rows, newest first, as lines: all rows of a question are one line, where its newest row is. */
export const recordLines = (rows: readonly HistoryRow[]): RecordLine[] => {
  const questions = new Map<string, RecordLine>();
  const lines: RecordLine[] = [];
  for (const row of rows) {
    const approvalId = approvalOf(row);
    let line = approvalId === null ? undefined : questions.get(approvalId);
    if (line) line.rows.push(row);
    else {
      line = { approvalIds: approvalId === null ? null : [approvalId], newest: row, rows: [row] };
      if (approvalId !== null) questions.set(approvalId, line);
      lines.push(line);
    }
    const before = replacedBy(row);
    if (before === null || questions.has(before)) continue;
    line.approvalIds?.push(before);
    questions.set(before, line);
  }
  return lines;
};
