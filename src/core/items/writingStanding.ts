import { limits, type Standing } from '../../contract/index.ts';
import type { Allowance } from '../service/allowance.ts';

type ReadStanding = (signal: AbortSignal) => Promise<Standing>;

/**
 * Creates the function that returns the standing before a generation. If there is no extras approval and more listings
 * are left than other clients can use up at once, it returns the cached standing; otherwise it reads the standing.
 */
export const createGenerationStandingReader =
  ({ recent, surplus }: Pick<Allowance, 'recent' | 'surplus'>, read: ReadStanding): ReadStanding =>
  async (signal) => {
    const latest = recent();
    const isPlenty = !latest?.allowance.extras?.approval && surplus() > limits.concurrentGenerations;
    return latest !== null && isPlenty ? latest : read(signal);
  };
