/** A check between a request and its sending that prevents something. */
export type Guard = {
  id: string;
  /** The rule that the check enforces, in a sentence. */
  keeps: string;
  file: string;
  /** Its text, which occurs once in the file, and the text that replaces it. */
  source: string;
  without: string;
  /** The tests that must fail without it; `only` selects them by a part of their title. */
  tests: readonly string[];
  only?: string;
};
