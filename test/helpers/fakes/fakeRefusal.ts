import { Problem } from '../../../src/core/base/problem.ts';

/** Refuses as a real host does. */
export const refuse = (...given: ConstructorParameters<typeof Problem>): never => {
  throw new Problem(...given);
};
