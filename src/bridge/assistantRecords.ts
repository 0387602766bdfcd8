import type { DeclineReason } from '../core/base/problem.ts';
import { toldOf } from '../core/companion/approvalOutcome.ts';
import { plainSentence, storedAnswer } from '../core/service/personPages.ts';
import { isFinal } from '../core/storage/tables/approvalRecord.ts';
import type { ApprovalRow } from '../core/storage/tables/approvalsTable.ts';
import type { ItemView } from '../core/storage/tables/itemRecord.ts';
import type { JudgeLink, LiveLink } from './liveLinks.ts';

/** An approval as its assistant sees it: how it stands, and when it is done, what the service answered. */
export type ApprovalRecord = {
  id: string;
  state: string;
  summary: string;
  expiresAt: string;
  pollAfterMs?: number;
  supersededBy?: string;
  outcome?: string;
  code?: string | null;
  /** Why the person said no, and for how long the same stays refused. */
  declinedBecause?: DeclineReason;
  retryAfterS?: number;
  answer?: { status: number; headers: Record<string, string>; body: unknown };
} & Partial<LiveLink>;

const pollAfterMs = 2_000;

const declinedFacts = (
  row: ApprovalRow,
  retryAfterS: number | null,
): Pick<ApprovalRecord, 'declinedBecause' | 'retryAfterS'> => {
  if (retryAfterS === null) return {};
  return { declinedBecause: row.declined_because ?? 'no', ...(retryAfterS > 0 ? { retryAfterS } : {}) };
};

/** The page of the listing, as the person reads it of an act that was done. */
const linkFacts = (row: ApprovalRow, judge: JudgeLink): Partial<LiveLink> => {
  const url = row.state === 'done' ? toldOf(row)?.url : null;
  return typeof url === 'string' ? judge(url) : {};
};

/**
 * An approval without the pages that are the person's to open. `retryAfterS` is how long a no to it stands; null where it
 * was not declined.
 */
export const approvalRecord = (row: ApprovalRow, retryAfterS: number | null, judge: JudgeLink): ApprovalRecord => ({
  id: row.approval_id,
  // Held back after the yes: the person may still take it back.
  state: row.state === 'approved' && row.held_until !== null ? 'held' : row.state,
  summary: row.prompt.target ? `${row.prompt.act}: ${row.prompt.target.title}` : row.prompt.act,
  expiresAt: new Date(row.expires_at).toISOString(),
  ...(row.superseded_by === null ? {} : { supersededBy: row.superseded_by }),
  ...(row.outcome ? { outcome: plainSentence(row.outcome.sentence), code: row.outcome.code } : {}),
  ...declinedFacts(row, retryAfterS),
  ...linkFacts(row, judge),
  // What the service claims is no answer until the listing agrees.
  ...(row.answer && isFinal(row.state) ? { answer: { ...row.answer, body: storedAnswer(row.route, row.answer) } } : {}),
  ...(isFinal(row.state) ? {} : { pollAfterMs }),
});

/** An item as its assistant sees it: where it stands, in words and as data. `stop` says why it stands still. */
export type ItemRecord = {
  itemId: string;
  name: string;
  step: string;
  words: string;
  listingId: string | null;
  progress: { done: number; total: number } | null;
  stop: { code: string; error: string } | null;
  photos: { name: string; state: string; error: string | null }[];
  note: string;
  quantity: number;
};

/** An item without what is only the window's, such as thumbnails and edits. */
export const itemRecord = (item: ItemView): ItemRecord => ({
  itemId: item.itemId,
  name: item.name,
  step: item.step,
  words: item.words,
  listingId: item.listingId,
  progress: item.progress && { done: item.progress.done, total: item.progress.total },
  stop: item.stop && { code: item.stop.code, error: item.stop.sentence },
  photos: item.photos.map(({ name, state, sentence }) => ({ name, state, error: sentence })),
  note: item.note,
  quantity: item.quantity,
});
