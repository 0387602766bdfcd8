import type { ApprovalView } from '../core/storage/tables/approvalRecord.ts';
import type { Topic } from '../core/base/ports.ts';
import type { BatchView } from '../core/approvals/batches.ts';
import type { RunningCompanion } from './runCompanion.ts';

const topics: readonly Topic[] = ['approvals', 'app'];

/** Both lists are in the order of the requests. */
export type PendingApprovals = { approvals: readonly ApprovalView[]; batches: readonly BatchView[] };

const createPendingKey = ({ approvals, batches }: PendingApprovals): string =>
  JSON.stringify([
    approvals.map(({ approvalId }) => approvalId),
    batches.map(({ batchId, state, rows }) => [batchId, state, rows.map(({ approval }) => approval?.approvalId)]),
  ]);

/** Reports at once and after every change of the list. A report of an unchanged list would close an open menu. */
export const watchPendingApprovals = (
  { handlers, onChanged }: Pick<RunningCompanion, 'handlers' | 'onChanged'>,
  onPending: (pending: PendingApprovals) => void,
): (() => void) => {
  let reading = false;
  let stale = false;
  let last: string | null = null;
  const reportIfChanged = (pending: PendingApprovals): void => {
    const mark = createPendingKey(pending);
    if (mark === last) return;
    last = mark;
    onPending(pending);
  };
  const readPendingApprovals = async (): Promise<void> => {
    stale = true;
    if (reading) return;
    reading = true;
    while (stale) {
      stale = false;
      const lists = Promise.all([handlers['approvals.list']({}), handlers['batch.list']({})]);
      const read = await lists.catch(() => null);
      if (read === null || stale) continue;
      const [approvals, batches] = read;
      reportIfChanged({ approvals: approvals.filter(({ state }) => state === 'pending'), batches });
    }
    reading = false;
  };
  void readPendingApprovals();
  return onChanged((topic) => {
    if (topics.includes(topic)) void readPendingApprovals();
  });
};

/** `done` is the completed share of all work since the companion was last idle, from 0 to 1. */
export type WorkProgress = { running: number; done: number; paused: boolean };

const workTopics: readonly Topic[] = ['items', 'app'];
/** The count of photos changes many times a second, but a taskbar needs fewer updates. */
const throttleMs = 500;

type ProgressSource = Pick<RunningCompanion, 'handlers' | 'onChanged' | 'work'>;

export const watchWorkProgress = (
  { handlers, onChanged, work }: ProgressSource,
  onWork: (work: WorkProgress) => void,
): (() => void) => {
  let last = '';
  let finished = 0;
  let before = 0;
  let timer: NodeJS.Timeout | null = null;

  const readWorkProgress = async (): Promise<void> => {
    const { running, done } = work();
    const { paused } = await handlers['app.state']({});
    finished = running === 0 ? 0 : finished + Math.max(0, before - running);
    before = running;
    const share = running === 0 ? 0 : (done * running + finished) / (running + finished);
    const now = { running, done: Math.round(share * 100) / 100, paused };
    if (JSON.stringify(now) === last) return;
    last = JSON.stringify(now);
    onWork(now);
  };
  const scheduleProgressRead = (): void => {
    timer ??= setTimeout(() => {
      timer = null;
      void readWorkProgress().catch(() => undefined);
    }, throttleMs);
  };
  void readWorkProgress().catch(() => undefined);
  const unsubscribe = onChanged((topic) => void (workTopics.includes(topic) && scheduleProgressRead()));
  return () => {
    unsubscribe();
    if (timer) clearTimeout(timer);
  };
};
