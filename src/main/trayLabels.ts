import type { Prompt } from '../core/approvals/approval.ts';
import { plainLine } from '../host/plainLine.ts';
import type { WorkShown } from '../host/watchWork.ts';
import type { HostWords, Say } from '../host/words.ts';

/** How many requests wait, in words. */
export const waitingLabel = (count: number, say: Say): string =>
  count === 0 ? say('shell.nothingWaits') : say('shell.waiting', { count });

/** What runs by itself, in words. */
export const workLabel = ({ running, paused }: Pick<WorkShown, 'running' | 'paused'>, say: Say): string => {
  const work = running === 0 ? say('shell.nothingRuns') : say('shell.running', { count: running });
  return paused ? say('shell.runningPaused', { work }) : work;
};

/** A waiting approval as a line of the menu, where a single & would mark a key instead of being shown. */
export const approvalLabel = (
  { act, target, says }: Pick<Prompt, 'act' | 'target' | 'says'>,
  words: HostWords,
): string => {
  const asked = words.told(says?.act, act);
  const line = target === null ? asked : `${asked}: ${words.told(says?.title, target.title)}`;
  return plainLine(line, 70).replaceAll('&', '&&');
};
