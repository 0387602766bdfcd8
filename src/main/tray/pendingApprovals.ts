import type { ApprovalView, Prompt } from '../../core/storage/tables/approvalRecord.ts';
import type { BatchView } from '../../core/approvals/batches.ts';
import { toPlainLine } from '../../host/noticeText.ts';
import type { WorkProgress } from '../../host/watchCompanion.ts';
import type { HostTranslator, FormatMessage } from '../../host/hostTranslator.ts';

/** A batch counts as one pending approval. */
export type PendingApproval = { id: string; placeSeq: number } & ({ approval: ApprovalView } | { batch: BatchView });

const listApprovalIds = ({ rows }: BatchView): string[] => rows.flatMap(({ approval }) => approval?.approvalId ?? []);

/** Returns pending approvals and batches in the order of the window, the oldest first. */
export const listPendingPrompts = (
  waiting: readonly ApprovalView[],
  batches: readonly BatchView[],
): readonly PendingApproval[] => {
  const together = new Set(batches.flatMap(listApprovalIds));
  const alone = waiting.filter(({ approvalId }) => !together.has(approvalId));
  return [
    ...alone.map((approval) => ({ id: approval.approvalId, placeSeq: approval.placeSeq, approval })),
    ...batches
      .filter(({ state }) => state === 'waiting')
      .map((batch) => ({ id: batch.batchId, placeSeq: batch.placeSeq, batch })),
  ].sort((a, b) => a.placeSeq - b.placeSeq);
};

export const createBatchPath = (batchId: string): string => `/approvals?batch=${encodeURIComponent(batchId)}`;

export const formatPendingCount = (count: number, format: FormatMessage): string =>
  count === 0 ? format('shell.nothingWaits') : format('shell.waiting', { count });

export const formatWorkLabel = (
  { running, paused }: Pick<WorkProgress, 'running' | 'paused'>,
  format: FormatMessage,
): string => {
  const work = running === 0 ? format('shell.nothingRuns') : format('shell.running', { count: running });
  return paused ? format('shell.runningPaused', { work }) : work;
};

const maxLabelChars = 70;
/** In a menu label, a single & marks a mnemonic key. */
const escapeAmpersands = (line: string): string => line.replaceAll('&', '&&');
const formatMenuLabel = (line: string): string => escapeAmpersands(toPlainLine(line, maxLabelChars));

/** The label ends with the main fact, because the person must see the main fact even if the label is shortened. */
export const formatApprovalLabel = (
  { act, target, mainFact, says }: Pick<Prompt, 'act' | 'target' | 'mainFact' | 'says'>,
  translator: HostTranslator,
): string => {
  const asked = translator.translate(says?.act, act);
  const line = target === null ? asked : `${asked}: ${translator.translate(says?.title, target.title)}`;
  if (mainFact === null) return formatMenuLabel(line);
  const end = ` · ${toPlainLine(translator.translate(says?.mainFact, mainFact), maxLabelChars / 2)}`;
  return escapeAmpersands(toPlainLine(line, maxLabelChars - [...end].length) + end);
};

export const formatBatchLabel = ({ rows }: Pick<BatchView, 'rows'>, translator: HostTranslator): string => {
  const counts = new Map<string, number>();
  for (const { approval } of rows) {
    if (!approval) continue;
    const { act, says } = approval.prompt;
    const asked = translator.translate(says?.act, act);
    counts.set(asked, (counts.get(asked) ?? 0) + 1);
  }
  return formatMenuLabel([...counts].map(([act, count]) => `${act} (${count})`).join(', '));
};
