import type { DeclineReason } from '../core/base/problem.ts';
import type { ListingWarning } from '../core/listings/warningReader.ts';
import { toOutcomeSummary } from '../core/companion/approvalOutcome.ts';
import { toPlainSentence, removeAnswerPartsHiddenFromAssistant } from '../core/service/personPages.ts';
import { isRetriable } from '../core/items/itemState.ts';
import { isFinalState } from '../core/storage/tables/approvalRecord.ts';
import type { ApprovalRow } from '../core/storage/tables/approvalsTable.ts';
import type { ItemView } from '../core/storage/tables/itemRecord.ts';
import type { ClassifyLink, LiveLink } from './liveLinks.ts';

/** `code` is stable. `sentence` is in English, for the person. */
export type WarningRecord = { code: string; sentence: string };

export const toWarningRecords = (warnings: readonly ListingWarning[] = []): WarningRecord[] =>
  warnings.map(({ code, sentence }) => ({ code, sentence }));

export type ApprovalRecord = {
  id: string;
  state: string;
  summary: string;
  expiresAt: string;
  pollAfterMs?: number;
  supersededBy?: string;
  outcome?: string;
  code?: string | null;
  declinedBecause?: DeclineReason;
  /** How long the companion refuses an identical request; set only after a decline. */
  retryAfterS?: number;
  answer?: { status: number; headers: Record<string, string>; body: unknown };
  /** Why the listing is weak; set while a publish waits for the person. */
  warnings?: WarningRecord[];
} & Partial<LiveLink>;

/** One request of a batch: its approval, or why the companion refused the request or could not send it. */
export type BatchRowRecord = { listingId: string; approval?: ApprovalRecord; error?: string } & Pick<
  ApprovalRecord,
  'declinedBecause' | 'retryAfterS'
> & { code?: string };
export type BatchRecord = { batchId: string; rows: BatchRowRecord[] };

const pollAfterMs = 2_000;

const getDeclineFields = (
  row: ApprovalRow,
  retryAfterS: number | null,
): Pick<ApprovalRecord, 'declinedBecause' | 'retryAfterS'> => {
  if (retryAfterS === null) return {};
  return { declinedBecause: row.declined_because ?? 'no', ...(retryAfterS > 0 ? { retryAfterS } : {}) };
};

const getLiveLinkFields = (row: ApprovalRow, classifyLink: ClassifyLink): Partial<LiveLink> => {
  const url = row.state === 'done' ? toOutcomeSummary(row)?.url : null;
  return typeof url === 'string' ? classifyLink(url) : {};
};

/**
 * Returns an approval without the pages that only the person may open. `retryAfterS` is how long the companion refuses
 * an identical request after a decline; null if the person did not decline.
 */
export const toApprovalRecord = (
  row: ApprovalRow,
  retryAfterS: number | null,
  classifyLink: ClassifyLink,
): ApprovalRecord => ({
  id: row.approval_id,
  state: row.state === 'approved' && row.held_until !== null ? 'held' : row.state,
  summary: row.prompt.target ? `${row.prompt.act}: ${row.prompt.target.title}` : row.prompt.act,
  expiresAt: new Date(row.expires_at).toISOString(),
  ...(row.superseded_by === null ? {} : { supersededBy: row.superseded_by }),
  ...(row.outcome ? { outcome: toPlainSentence(row.outcome.sentence), code: row.outcome.code } : {}),
  ...getDeclineFields(row, retryAfterS),
  ...getLiveLinkFields(row, classifyLink),
  // Include the service's answer only in a final state, because the listing might not confirm it before.
  ...(row.answer && isFinalState(row.state)
    ? { answer: { ...row.answer, body: removeAnswerPartsHiddenFromAssistant(row.route, row.answer) } }
    : {}),
  ...(isFinalState(row.state) ? {} : { pollAfterMs }),
});

export type ItemRecord = {
  itemId: string;
  name: string;
  step: string;
  words: string;
  listingId: string | null;
  progress: { done: number; total: number } | null;
  /** `retriable`: the call that created the item resumes it. */
  stop: { code: string; error: string; retriable: boolean } | null;
  photos: { name: string; state: string; error: string | null }[];
  note: string;
  quantity: number;
  /** Why its listing is weak. */
  warnings: WarningRecord[];
};

/** Returns an item without the data that only the window needs, such as thumbnails and edits. */
export const toItemRecord = (item: ItemView, warnings?: readonly ListingWarning[]): ItemRecord => ({
  itemId: item.itemId,
  name: item.name,
  step: item.step,
  words: item.words,
  listingId: item.listingId,
  progress: item.progress && { done: item.progress.done, total: item.progress.total },
  stop: item.stop && { code: item.stop.code, error: item.stop.sentence, retriable: isRetriable(item) },
  photos: item.photos.map(({ name, state, sentence }) => ({ name, state, error: sentence })),
  note: item.note,
  quantity: item.quantity,
  warnings: toWarningRecords(warnings),
});
