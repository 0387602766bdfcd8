import { limits, type Standing } from '../../contract/index.ts';
import type { Allowance } from '../service/allowance.ts';

type ReadStanding = (signal: AbortSignal) => Promise<Standing>;

/**
 * Creates the function that returns the standing before a generation. It returns the cached standing if there is no
 * extras approval and more listings are left than other clients can use up at a time.
 */
export const createGenerationStandingReader =
  ({ recent, surplus }: Pick<Allowance, 'recent' | 'surplus'>, read: ReadStanding): ReadStanding =>
  async (signal) => {
    const latest = recent();
    const isPlenty = !latest?.allowance.extras?.approval && surplus() > limits.concurrentGenerations;
    return latest !== null && isPlenty ? latest : read(signal);
  };
