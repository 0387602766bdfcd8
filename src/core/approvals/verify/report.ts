import type { ChainKey } from '../ledger/chainCheck.ts';
import type * as z from 'zod';
import { toCanonicalJson } from '../../base/json.ts';

/** A failed check: the line of the file, the number of the row, and a plain sentence. */
export type Finding = { code: string; line: number | null; row: number | null; sentence: string };

/** The result of a verification. `notes` are facts worth knowing that are not faults. */
export type Report = {
  whole: boolean;
  kind: 'ledger' | 'receipt' | 'receipts' | 'unknown';
  /** The number of ledger rows or receipts. */
  count: number;
  /** The fingerprint of the key that signed the file; null if it is unsigned. */
  fingerprint: string | null;
  keys: Pick<ChainKey, 'fingerprint' | 'from'>[];
  findings: Finding[];
  notes: string[];
};

/** Returns a fingerprint as people compare it: its first 80 bits in groups of four digits. */
export const formatShortFingerprint = (fingerprint: string): string =>
  (fingerprint.slice(0, 20).match(/.{4}/g) ?? [fingerprint]).join(' ');

export const createFinding = (
  code: string,
  sentence: string,
  { line = null, row = null }: { line?: number | null; row?: number | null } = {},
): Finding => ({ code, line, row, sentence });

/** A line of a file: its number, and its parsed JSON. */
export type FileLine = { line: number; text: string; value: unknown };

/** Reads the lines of a JSON Lines file. Every line must end with a line break, and nothing may follow the last one. */
export const readJsonLines = (text: string): { lines: FileLine[]; findings: Finding[] } => {
  const parts = text.split('\n');
  const findings: Finding[] = [];
  const rest = parts.pop();
  if (rest !== '') findings.push(createFinding('END', 'The file does not end where the companion ended it.'));
  const whole = rest === '' || rest === undefined ? parts : [...parts, rest];
  const lines = whole.flatMap((part, index): FileLine[] => {
    try {
      return [{ line: index + 1, text: part, value: JSON.parse(part) }];
    } catch {
      findings.push(createFinding('NOT_JSON', `Line ${index + 1} cannot be read.`, { line: index + 1 }));
      return [];
    }
  });
  return { lines, findings };
};

/** Parses a line with a schema. The line must be byte-identical to what the companion writes: same fields, order and form. */
export const parseExactLine = <S extends z.ZodType>(shape: S, { line, text, value }: FileLine) => {
  const parsed = shape.safeParse(value);
  if (!parsed.success)
    return {
      data: null,
      finding: createFinding('NOT_A_ROW', `Line ${line} is not as the companion writes it.`, { line }),
    };
  const isExact = toCanonicalJson(parsed.data) === text;
  return {
    data: parsed.data,
    finding: isExact ? null : createFinding('REWRITTEN', `Line ${line} was rewritten by another program.`, { line }),
  };
};
