import { Problem } from '../../../src/core/base/problem.ts';

/** Refuses a call like a real host. */
export const refuseCall = (...given: ConstructorParameters<typeof Problem>): never => {
  throw new Problem(...given);
};
