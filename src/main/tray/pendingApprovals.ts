import type { ApprovalView, Prompt } from '../../core/storage/tables/approvalRecord.ts';
import type { BatchView } from '../../core/approvals/batches.ts';
import { plainLine } from '../../host/noticeText.ts';
import type { Progress } from '../../host/watchCompanion.ts';
import type { HostTranslator, FormatMessage } from '../../host/hostTranslator.ts';

/** What waits for the person: single approvals, and batches, each of which counts once. */
export type PendingApprovals = { approvals: readonly ApprovalView[]; batches: readonly BatchView[] };

const approvalIdsOf = ({ rows }: BatchView): string[] => rows.flatMap(({ approval }) => approval?.approvalId ?? []);

/** The waiting approvals apart from those that a batch asks for. */
export const pendingApprovals = (waiting: readonly ApprovalView[], batches: readonly BatchView[]): PendingApprovals => {
  const together = new Set(batches.flatMap(approvalIdsOf));
  return {
    approvals: waiting.filter(({ approvalId }) => !together.has(approvalId)),
    batches: batches.filter(({ state }) => state === 'waiting'),
  };
};

export const countPending = ({ approvals, batches }: PendingApprovals): number => approvals.length + batches.length;

/** The place in the window where a batch is open. */
export const batchPath = (batchId: string): string => `/approvals?batch=${encodeURIComponent(batchId)}`;

/** How many requests wait, in words. */
export const pendingLabel = (count: number, format: FormatMessage): string =>
  count === 0 ? format('shell.nothingWaits') : format('shell.waiting', { count });

/** What runs by itself, in words. */
export const workLabel = ({ running, paused }: Pick<Progress, 'running' | 'paused'>, format: FormatMessage): string => {
  const work = running === 0 ? format('shell.nothingRuns') : format('shell.running', { count: running });
  return paused ? format('shell.runningPaused', { work }) : work;
};

const maxLabelChars = 70;
/** A single & would mark a key instead of being shown. */
const escapeAmpersands = (line: string): string => line.replaceAll('&', '&&');
const menuLabel = (line: string): string => escapeAmpersands(plainLine(line, maxLabelChars));

/** A waiting approval as a line of the menu, which ends with its main fact. */
export const approvalLabel = (
  { act, target, mainFact, says }: Pick<Prompt, 'act' | 'target' | 'mainFact' | 'says'>,
  translator: HostTranslator,
): string => {
  const asked = translator.translate(says?.act, act);
  const line = target === null ? asked : `${asked}: ${translator.translate(says?.title, target.title)}`;
  if (mainFact === null) return menuLabel(line);
  const end = ` · ${plainLine(translator.translate(says?.mainFact, mainFact), maxLabelChars / 2)}`;
  return escapeAmpersands(plainLine(line, maxLabelChars - [...end].length) + end);
};

/** A waiting batch as a line of the menu: each of its acts, and of how many listings. */
export const batchLabel = ({ rows }: Pick<BatchView, 'rows'>, translator: HostTranslator): string => {
  const counts = new Map<string, number>();
  for (const { approval } of rows) {
    if (!approval) continue;
    const { act, says } = approval.prompt;
    const asked = translator.translate(says?.act, act);
    counts.set(asked, (counts.get(asked) ?? 0) + 1);
  }
  return menuLabel([...counts].map(([act, count]) => `${act} (${count})`).join(', '));
};
