import { limits, type Standing } from '../../contract/index.ts';
import type { Allowance } from '../service/allowance.ts';

type ReadStanding = (signal: AbortSignal) => Promise<Standing>;

/**
 * Returns the standing to check before a generation: the cached one while the surplus is larger than the number of
 * generations that other clients may run, otherwise a fresh one. Always reads if the generation could be charged to
 * extras.
 */
export const createWritingStanding =
  ({ recent, surplus }: Pick<Allowance, 'recent' | 'surplus'>, read: ReadStanding): ReadStanding =>
  async (signal) => {
    const latest = recent();
    const isPlenty = !latest?.allowance.extras?.approval && surplus() > limits.concurrentGenerations;
    return latest !== null && isPlenty ? latest : read(signal);
  };
