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

const inWindow = async <T>(
  shower: Shower,
  prompts: readonly ShownPrompt[],
  press: (windowSession: string) => Promise<T>,
): Promise<T> => {
  const windowSession = showInWindow(shower, prompts);
  try {
    return await press(windowSession);
  } finally {
    shower.companion.approvals.windowSessions.close(windowSession);
  }
};

/** Approves a prompt as the person does: a window shows it first. */
export const pressYes = async (shower: Shower, approvalId: string, digest: string): Promise<ApprovalView> =>
  inWindow(shower, [{ approvalId, digest }], (windowSession) =>
    shower.companion.approvals.approve(approvalId, digest, windowSession),
  );

/** Approves the chosen rows of a batch as the person does: a window shows them first. */
export const pressYesToRows = async (
  shower: Shower,
  batchId: string,
  chosen: readonly ShownPrompt[],
  others?: readonly ShownPrompt[],
): Promise<BatchView> =>
  inWindow(shower, chosen, (windowSession) =>
    shower.companion.batches.approveRows(batchId, { chosen, ...(others ? { others } : {}) }, windowSession),
  );
