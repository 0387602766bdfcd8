import { createProblem, toProblemView } from '../../base/problem.ts';
import { person } from '../../base/request.ts';
import type { Message } from '../../../i18n/message.ts';
import { createMessage } from '../../../i18n/message.ts';
import { arrangeableSteps } from '../../storage/tables/itemRecord.ts';
import type { PhotoChangeRow } from '../../storage/tables/photos/photoChangesTable.ts';
import { getRetryPauseMs, type ItemsContext } from '../itemsContext.ts';
import { findItemTrouble, type Trouble } from '../itemState.ts';
import { advancePhotoChange, isConnectionProblem, photoChangeSteps, toChangeProblem } from './photoChangeSteps.ts';

export type PhotoChangeRunner = {
  start: (itemId: string) => void;
  halt: (itemId: string) => Promise<void>;
  /** Returns why the change is being retried; null if it is not. */
  trouble: (itemId: string) => Message | null;
  open: () => void;
  stop: () => Promise<void>;
};

const toTroubleMessage = (trouble: Trouble): Message =>
  trouble === 'service' ? createMessage('items.waitingForService') : trouble;

/** After a crash or a lost answer, the listing might already show photos that do not count as sent. */
const chooseStep = ({ stage }: PhotoChangeRow, mustRead: boolean) =>
  photoChangeSteps[mustRead && stage === 'sending' ? 'checking' : stage];

const storeUnknownOutcome = (context: ItemsContext, change: PhotoChangeRow, error: unknown): void => {
  context.log('warn', 'a change of photos stopped', { stage: change.stage, code: toProblemView(error).code });
  // A prompt must show the photos that the listing has, not those that were sent and never read.
  context.boundPhotos.slotOpened(change.listing_id);
  advancePhotoChange(context, change, { stage: 'unknown', problem: toChangeProblem(error) });
};

/** Stores why the change stopped. Returns the trouble if the change must be retried instead. */
const storeStopOrGetTrouble = (context: ItemsContext, change: PhotoChangeRow, error: unknown): Trouble | null => {
  const trouble = findItemTrouble(error);
  if (trouble !== null) return trouble;
  try {
    storeUnknownOutcome(context, change, error);
    return null;
  } catch (unwritten) {
    const diskTrouble = findItemTrouble(unwritten);
    if (diskTrouble === null) throw unwritten;
    return diskTrouble;
  }
};

const runPhotoChange = async (
  context: ItemsContext,
  troubles: Map<string, Trouble>,
  itemId: string,
  signal: AbortSignal,
): Promise<void> => {
  const { table, gate, pacing } = context;
  let failures = 0;
  let mustRead = true;
  for (;;) {
    const [change, item] = [table.photoChanges.read(itemId), table.read(itemId)];
    const runStep = change && chooseStep(change, mustRead);
    if (!change || !item || !runStep || signal.aborted) return;
    // While the item is arranged again, its photos might belong to other items.
    if (arrangeableSteps.includes(item.step)) return table.photoChanges.remove(itemId);
    try {
      await gate.waitWhilePaused(signal);
      // The person asked for the change, also if an assistant added the item.
      await runStep(context, { ...item, by: person }, change, signal);
      mustRead = false;
      failures = 0;
      troubles.delete(itemId);
    } catch (error) {
      if (signal.aborted || isConnectionProblem(error)) return;
      const trouble = storeStopOrGetTrouble(context, change, error);
      if (trouble === null) return;
      troubles.set(itemId, trouble);
      mustRead = true;
      context.notifyItemChanged(itemId);
      failures += 1;
      if (!pacing.waitsForService(error)) await gate.sleepUntilNudge(getRetryPauseMs(context, error, failures), signal);
    }
  }
};

/** Creates the runner of photo changes. Its steps are stored, so that a change continues after a crash. */
export const createPhotoChangeRunner = (context: ItemsContext): PhotoChangeRunner => {
  const runs = new Map<string, { abort: AbortController; done: Promise<void>; isStartedAgain: boolean }>();
  const troubles = new Map<string, Trouble>();
  let closed = false;
  const halt = async (itemId: string): Promise<void> => {
    const run = runs.get(itemId);
    run?.abort.abort(createProblem('CANCELLED'));
    await run?.done;
  };
  const logFailure = (error: unknown): void =>
    context.log('error', 'changing photos failed', { reason: error instanceof Error ? error.name : 'unknown' });
  const start = (itemId: string): void => {
    if (closed) return;
    const running = runs.get(itemId);
    if (running) {
      running.isStartedAgain = true;
      return;
    }
    const abort = new AbortController();
    const done = runPhotoChange(context, troubles, itemId, abort.signal)
      .catch(logFailure)
      .finally(() => {
        const isStartedAgain = runs.get(itemId)?.isStartedAgain === true;
        runs.delete(itemId);
        troubles.delete(itemId);
        // The start was requested while the run was ending.
        if (isStartedAgain && !abort.signal.aborted) start(itemId);
      });
    runs.set(itemId, { abort, done, isStartedAgain: false });
  };
  return {
    start,
    halt,
    trouble: (itemId) => {
      const trouble = troubles.get(itemId);
      return trouble === undefined ? null : toTroubleMessage(trouble);
    },
    open: () => void (closed = false),
    stop: async () => {
      closed = true;
      await Promise.all([...runs.keys()].map(halt));
    },
  };
};
