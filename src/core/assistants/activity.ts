import type { Changed, Clock } from '../base/ports.ts';
import type { ActivityRow } from './assistant.ts';

const mostRows = 300;
const tellEveryMs = 500;

/** What assistants did lately, for the person to look at. A busy assistant is told of twice a second, not with every call. */
export const createActivity = (clock: Clock, changed: Changed) => {
  const rows: ActivityRow[] = [];
  let telling = false;
  const tell = (): void => {
    if (telling) return;
    telling = true;
    void clock.sleep(tellEveryMs).then(() => {
      telling = false;
      changed('assistants');
    });
  };
  return {
    note: (row: Omit<ActivityRow, 'at'>): void => {
      rows.push({ ...row, at: clock.now() });
      // Not one by one: thousands of calls a second would move the whole list each time.
      if (rows.length > 2 * mostRows) rows.splice(0, rows.length - mostRows);
      tell();
    },
    /** Newest first; of one assistant, or of all. */
    list: (assistantId?: string): ActivityRow[] =>
      rows
        .filter((row) => assistantId === undefined || row.assistantId === assistantId)
        .slice(-mostRows)
        .toReversed(),
  };
};
