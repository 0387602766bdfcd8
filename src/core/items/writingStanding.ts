import { limits, type Standing } from '../../contract/index.ts';

type Read = (signal: AbortSignal) => Promise<Standing>;

/**
 * For how many writings a reading of the allowance tells all there is to know: none of these is the last one, also with
 * those that were on their way when it was read, and none could be charged to an extra.
 */
const writingsCovered = ({ allowance }: Standing): number =>
  allowance.extras?.approval ? 0 : allowance.remaining + allowance.creditBalance - limits.concurrentGenerations;

/**
 * The standing that a writing is judged by: one that was read lately while more than enough is left, else one that is read
 * for it. Of a hundred writings of a large plan, few are read for.
 */
export const createWritingStanding = (recent: () => Standing | null, read: Read): Read => {
  let known: Standing | null = null;
  let judged = 0;
  return async (signal) => {
    const latest = recent();
    if (latest !== known) [known, judged] = [latest, 0];
    if (latest === null || judged >= writingsCovered(latest)) return read(signal);
    judged += 1;
    return latest;
  };
};
