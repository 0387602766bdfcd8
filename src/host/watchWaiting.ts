import type { ApprovalView } from '../core/storage/tables/approvalRecord.ts';
import type { Topic } from '../core/base/ports.ts';
import type { Running } from './runCompanion.ts';

const topics: readonly Topic[] = ['approvals', 'app'];

/**
 * Tells which approvals wait for the person, first come first: at once, and after every change. Answers how to stop.
 * What was read before a further change is not told, so that nothing acts on a list that is out of date; nor is the same
 * list again, as a menu that is set anew closes under the person's hand.
 */
export const watchWaiting = (
  { handlers, onChanged }: Pick<Running, 'handlers' | 'onChanged'>,
  onPending: (pending: readonly ApprovalView[]) => void,
): (() => void) => {
  let reading = false;
  let stale = false;
  let last: string | null = null;
  const announce = (pending: readonly ApprovalView[]): void => {
    const ids = pending.map(({ approvalId }) => approvalId).join(' ');
    if (ids === last) return;
    last = ids;
    onPending(pending);
  };
  const read = async (): Promise<void> => {
    stale = true;
    if (reading) return;
    reading = true;
    while (stale) {
      stale = false;
      const list = await handlers['approvals.list']({}).catch(() => null);
      if (list === null || stale) continue;
      announce(list.filter(({ state }) => state === 'pending').sort((a, b) => a.askedAt - b.askedAt));
    }
    reading = false;
  };
  void read();
  return onChanged((topic) => {
    if (topics.includes(topic)) void read();
  });
};
