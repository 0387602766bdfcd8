import { Problem } from '../../../src/core/base/problem.ts';

/** Refuses a call like a real host. */
export const refuse = (...given: ConstructorParameters<typeof Problem>): never => {
  throw new Problem(...given);
};
