/** A scanner types the next character within this time; a person needs longer. */
export const maxGapMs = 35;
/** The Enter of some scanners comes later than their characters. */
export const maxEnterGapMs = 100;
/** A person does not type three characters as fast as this. A shorter code is a scan only if Enter follows as fast. */
export const minScanChars = 3;

/** A person or program that selects rows can press these keys as fast as a scanner. No SKU consists of them. */
const selectingKeys = /^[jkx ]+$/i;

/** Returns whether only a scanner can type this text this fast. */
export const isScannedText = (text: string): boolean => text.length >= minScanChars && !selectingKeys.test(text);

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
    /** Adds a character, and returns the text of the burst. */
    add: (char: string, at: number): string => {
      text = at - lastAt < maxGapMs ? text + char : char;
      lastAt = at;
      return text;
    },
    /** Returns whether a character at this time belongs to the burst. */
    isContinued: (at: number): boolean => at - lastAt < maxGapMs,
    /** Ends the burst with Enter or Tab. Returns the scanned code; null if a person typed. */
    end: (at: number, minChars = 1): string | null => {
      const code = text.trim();
      const gapMs = at - lastAt;
      const isFast = gapMs < (code.length < minScanChars ? maxGapMs : maxEnterGapMs);
      reset();
      return code !== '' && code.length >= minChars && isFast && !selectingKeys.test(code) ? code : null;
    },
  };
};
