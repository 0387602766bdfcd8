import type { Prompt } from '../core/approvals/approval.ts';
import { plainLine } from '../host/plainLine.ts';
import type { WorkShown } from '../host/watchWork.ts';

/** How many requests wait, in words. */
export const waitingLabel = (count: number): string =>
  count === 0 ? 'Nothing waits for you' : count === 1 ? '1 request waits for you' : `${count} requests wait for you`;

/** What runs by itself, in words. */
export const workLabel = ({ running, paused }: Pick<WorkShown, 'running' | 'paused'>): string => {
  const words = running === 0 ? 'Nothing is on the way' : `${running} ${running === 1 ? 'item' : 'items'} on the way`;
  return paused ? `${words}, paused` : words;
};

/** A waiting approval as a line of the menu, where a single & would mark a key instead of being shown. */
export const approvalLabel = ({ act, target }: Pick<Prompt, 'act' | 'target'>): string =>
  plainLine(target === null ? act : `${act}: ${target.title}`, 70).replaceAll('&', '&&');
