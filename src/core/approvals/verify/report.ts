import type { ChainKey } from '../signed/chainCheck.ts';

/** One thing that does not hold: the line of the file, the number of the row, and a plain sentence. */
export type Finding = { code: string; line: number | null; row: number | null; sentence: string };

/** What a look at a file says. `notes` is what holds, and what is worth knowing. */
export type Report = {
  whole: boolean;
  kind: 'ledger' | 'receipt' | 'receipts' | 'unknown';
  /** How many rows of the ledger, or receipts, there are. */
  count: number;
  /** Of the key that signed the whole; null when none did. */
  fingerprint: string | null;
  keys: Pick<ChainKey, 'fingerprint' | 'from'>[];
  findings: Finding[];
  notes: string[];
};

/** A fingerprint as people compare it: its first 80 bits, in groups of four. */
export const shortFingerprint = (fingerprint: string): string =>
  (fingerprint.slice(0, 20).match(/.{4}/g) ?? [fingerprint]).join(' ');

/** Something about the whole file, or one line of it. */
export const finding = (
  code: string,
  sentence: string,
  { line = null, row = null }: { line?: number | null; row?: number | null } = {},
): Finding => ({ code, line, row, sentence });
