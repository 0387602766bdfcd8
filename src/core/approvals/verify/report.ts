import type { ChainKey } from '../ledger/chainCheck.ts';
import type * as z from 'zod';
import { canonical } from '../../base/json.ts';

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

/** One line of a file: its number, and its value where it is JSON. */
export type Line = { line: number; text: string; value: unknown };

/** The lines of a file of JSON Lines. Each ends with a line break, the last one too, and nothing comes after it. */
export const readLines = (text: string): { lines: Line[]; findings: Finding[] } => {
  const parts = text.split('\n');
  const findings: Finding[] = [];
  const rest = parts.pop();
  if (rest !== '') findings.push(finding('END', 'The file does not end where the companion ended it.'));
  const whole = rest === '' || rest === undefined ? parts : [...parts, rest];
  const lines = whole.flatMap((part, index): Line[] => {
    try {
      return [{ line: index + 1, text: part, value: JSON.parse(part) }];
    } catch {
      findings.push(finding('NOT_JSON', `Line ${index + 1} cannot be read.`, { line: index + 1 }));
      return [];
    }
  });
  return { lines, findings };
};

/**
 * A line as that shape. It must be written exactly as the companion writes it: no field more or fewer, none twice, none in
 * another order or form.
 */
export const exactly = <S extends z.ZodType>(shape: S, { line, text, value }: Line) => {
  const parsed = shape.safeParse(value);
  if (!parsed.success)
    return { data: null, finding: finding('NOT_A_ROW', `Line ${line} is not as the companion writes it.`, { line }) };
  const isExact = canonical(parsed.data) === text;
  return {
    data: parsed.data,
    finding: isExact ? null : finding('REWRITTEN', `Line ${line} was written anew by something else.`, { line }),
  };
};
