import type { ProblemView } from '../../../src/core/base/problem.ts';

/** How the fake says no: what a real host would answer as a problem. */
export class Refusal extends Error {
  readonly problem: ProblemView;
  constructor(problem: ProblemView) {
    super(problem.sentence);
    this.problem = problem;
  }
}

export const refuse = (code: string, sentence: string, more: Partial<ProblemView> = {}): never => {
  throw new Refusal({ code, sentence, ...more });
};
