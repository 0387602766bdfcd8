/** A scanner types the next character within this time; a person needs longer. */
export const maxGapMs = 35;
/** The Enter of some scanners comes later than their characters. */
export const maxEnterGapMs = 100;
export const minScanChars = 3;

/** Collects characters that follow each other as fast as a scanner types. Times are time stamps of events. */
export const createScanBurst = () => {
  let text = '';
  let lastAt = -Infinity;
  const reset = (): void => {
    text = '';
    lastAt = -Infinity;
  };
  return {
    reset,
    /** Adds a character, and returns how many belong to the burst. */
    add: (char: string, at: number): number => {
      text = at - lastAt < maxGapMs ? text + char : char;
      lastAt = at;
      return text.length;
    },
    /** Ends the burst with Enter. Returns the scanned code; null if a person typed. */
    end: (at: number): string | null => {
      const code = text.trim();
      const isScan = code.length >= minScanChars && at - lastAt < maxEnterGapMs;
      reset();
      return isScan ? code : null;
    },
  };
};
