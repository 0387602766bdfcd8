import type { Companion } from '../../src/core/companion/createCompanion.ts';
import { minDwellMs, type ShownPrompt } from '../../src/core/presence/windowSessions.ts';
import type { ApprovalView } from '../../src/core/storage/tables/approvalRecord.ts';
import type { BatchView } from '../../src/core/approvals/batches.ts';

type Shower = { companion: Companion; clock: { advance: (ms: number) => void } };

/** Opens a window, shows the prompts in it for as long as the companion requires, and returns the window session. */
export const showInWindow = ({ companion, clock }: Shower, prompts: readonly ShownPrompt[]): string => {
  const { windowSessions, recordShown } = companion.approvals;
  const windowSession = windowSessions.open('window');
  recordShown(
    windowSession,
    prompts.map(({ approvalId, digest }) => ({ approvalId, digest, drawnAs: 'prompt' })),
  );
  clock.advance(minDwellMs);
  return windowSession;
};

/** Approves a prompt as the person does: a window shows it first. */
export const pressYes = async (shower: Shower, approvalId: string, digest: string): Promise<ApprovalView> =>
  shower.companion.approvals.approve(approvalId, digest, showInWindow(shower, [{ approvalId, digest }]));

/** Approves the chosen rows of a batch as the person does: a window shows them first. */
export const pressYesToRows = async (
  shower: Shower,
  batchId: string,
  chosen: readonly ShownPrompt[],
  others?: readonly ShownPrompt[],
): Promise<BatchView> =>
  shower.companion.batches.approveRows(
    batchId,
    { chosen, ...(others ? { others } : {}) },
    showInWindow(shower, chosen),
  );
