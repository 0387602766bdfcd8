import type { RouteName } from '../../contract/index.ts';
import type { NameLike } from '../base/similarNames.ts';
import type { ApprovalView } from '../storage/tables/approvalRecord.ts';
import type { Asker } from '../base/asker.ts';
import type { Message } from '../../i18n/message.ts';

/** One line of a batch: an approval of its own, or why it cannot be asked for. */
export type BatchRow = {
  listingId: string;
  route: RouteName;
  title: string;
  approval: ApprovalView | null;
  /** Why this one cannot be done now, in words; it is not sent. */
  problem: { code: string; sentence: string; says?: Message | undefined } | null;
};

/** Several requests of one asker in one prompt, which the window groups by act. An assistant's holds one kind of act. */
export type BatchView = {
  batchId: string;
  by: Asker;
  /** The assistant's own words, shown as such. */
  reason: string | null;
  /** Why the asker's name is easily taken for another one's; null when it is not. */
  nameLike: NameLike | null;
  rows: BatchRow[];
  /** `held`: the yes is given and can be taken back until `heldUntil`. */
  state: 'waiting' | 'held' | 'sending' | 'stopping' | 'over';
  heldUntil: number | null;
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
  says?: Message | null;
};
