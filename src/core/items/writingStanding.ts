import { limits, type Standing } from '../../contract/index.ts';
import type { Allowance } from '../service/allowance.ts';

type Read = (signal: AbortSignal) => Promise<Standing>;

/**
 * The standing that a writing is judged by: one that was read lately while more than enough is left, also where as many as
 * the service allows are written elsewhere meanwhile, else one that is read for it. Of a hundred writings of a large plan, few
 * are read for; where there are extras that one could be charged to, each is.
 */
export const createWritingStanding =
  ({ recent, surplus }: Pick<Allowance, 'recent' | 'surplus'>, read: Read): Read =>
  async (signal) => {
    const latest = recent();
    const isPlenty = !latest?.allowance.extras?.approval && surplus() > limits.concurrentGenerations;
    return latest !== null && isPlenty ? latest : read(signal);
  };
