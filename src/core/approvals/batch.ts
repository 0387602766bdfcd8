import type { Saying } from '../../words/saying.ts';
import type { ApprovalView } from './approval.ts';

/** One line of a batch: an approval of its own, or why it cannot be asked for. */
export type BatchRow = {
  listingId: string;
  title: string;
  approval: ApprovalView | null;
  /** Why this one cannot be done now, in words; it is not sent. */
  problem: { code: string; sentence: string; says?: Saying | undefined } | null;
};

/** Several acts in one prompt. Totals are per currency, in minor units, of the rows that can be asked for. */
export type BatchView = {
  batchId: string;
  act: string;
  rows: BatchRow[];
  state: 'waiting' | 'sending' | 'stopping' | 'over';
  askedAt: number;
  shownAt: number;
};

/** One row of the history. `facts` is what was recorded with it. */
export type HistoryRow = {
  seq: number;
  at: number;
  kind: string;
  facts: Record<string, unknown>;
  title: string | null;
  /** What its question asks for. */
  act: string | null;
  /** What other languages say the act of its question from. */
  says?: Saying | null;
};
