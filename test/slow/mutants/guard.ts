/** One thing on the way from a request to its sending that keeps something from happening. */
export type Guard = {
  id: string;
  /** What it keeps from happening, in a sentence. */
  keeps: string;
  file: string;
  /** Its text in that file, exactly once, and what takes its place. */
  source: string;
  without: string;
  /** The tests that must notice that it is gone; `only` names them by a part of their name. */
  tests: readonly string[];
  only?: string;
};
