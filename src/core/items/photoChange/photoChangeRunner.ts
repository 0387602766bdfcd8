import { createProblem, toProblemView } from '../../base/problem.ts';
import { person } from '../../base/request.ts';
import type { Message } from '../../../i18n/message.ts';
import { createMessage } from '../../../i18n/message.ts';
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
const readBeforeSending = ({ table }: ItemsContext, itemId: string): void => {
  if (table.photoChanges.read(itemId)?.stage === 'sending') table.photoChanges.change(itemId, { stage: 'checking' });
};

const runPhotoChange = async (
  context: ItemsContext,
  troubles: Map<string, Trouble>,
  itemId: string,
  signal: AbortSignal,
): Promise<void> => {
  const { table, gate, pacing } = context;
  let failures = 0;
  readBeforeSending(context, itemId);
  for (;;) {
    const [change, item] = [table.photoChanges.read(itemId), table.read(itemId)];
    const runStep = change && photoChangeSteps[change.stage];
    if (!change || !item || !runStep || signal.aborted) return;
    try {
      await gate.waitWhilePaused(signal);
      // The person asked for the change, also if an assistant added the item.
      await runStep(context, { ...item, by: person }, change, signal);
      failures = 0;
      troubles.delete(itemId);
    } catch (error) {
      if (signal.aborted || isConnectionProblem(error)) return;
      const trouble = findItemTrouble(error);
      if (trouble === null) {
        context.log('warn', 'a change of photos stopped', { stage: change.stage, code: toProblemView(error).code });
        advancePhotoChange(context, change, { stage: 'unknown', problem: toChangeProblem(error) });
        return;
      }
      troubles.set(itemId, trouble);
      readBeforeSending(context, itemId);
      context.notifyItemChanged(itemId);
      failures += 1;
      if (!pacing.waitsForService(error)) await gate.sleepUntilNudge(getRetryPauseMs(context, error, failures), signal);
    }
  }
};

/** Creates the runner of photo changes. Its steps are stored, so that a change continues after a crash. */
export const createPhotoChangeRunner = (context: ItemsContext): PhotoChangeRunner => {
  const runs = new Map<string, { abort: AbortController; done: Promise<void> }>();
  const troubles = new Map<string, Trouble>();
  let closed = false;
  const halt = async (itemId: string): Promise<void> => {
    const run = runs.get(itemId);
    run?.abort.abort(createProblem('CANCELLED'));
    await run?.done;
  };
  return {
    start: (itemId) => {
      if (closed || runs.has(itemId)) return;
      const abort = new AbortController();
      const logFailure = (error: unknown): void =>
        context.log('error', 'changing photos failed', { reason: error instanceof Error ? error.name : 'unknown' });
      const done = runPhotoChange(context, troubles, itemId, abort.signal)
        .catch(logFailure)
        .finally(() => {
          runs.delete(itemId);
          troubles.delete(itemId);
        });
      runs.set(itemId, { abort, done });
    },
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
