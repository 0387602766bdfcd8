import { limits, type Standing } from '../../contract/index.ts';
import type { Allowance } from '../service/allowance.ts';

type ReadStanding = (signal: AbortSignal) => Promise<Standing>;

/**
 * Returns the standing that is checked before a generation. The cached standing is used if there is no extras approval
 * and the allowance is larger than what other clients can use.
 */
export const createGenerationStandingReader =
  ({ recent, surplus }: Pick<Allowance, 'recent' | 'surplus'>, read: ReadStanding): ReadStanding =>
  async (signal) => {
    const latest = recent();
    const isPlenty = !latest?.allowance.extras?.approval && surplus() > limits.concurrentGenerations;
    return latest !== null && isPlenty ? latest : read(signal);
  };
