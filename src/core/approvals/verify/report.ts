import type { ChainKey } from '../ledger/chainCheck.ts';
import type * as z from 'zod';
import { toCanonicalJson } from '../../base/json.ts';

/** `line` is the line of the file; `row` is the number of the ledger row. */
export type Finding = { code: string; line: number | null; row: number | null; sentence: string };

/** `notes` are facts that are not faults. */
export type Report = {
  whole: boolean;
  kind: 'ledger' | 'receipt' | 'receipts' | 'unknown';
  /** The number of ledger rows or receipts. */
  count: number;
  /** The fingerprint of the key that signed the file; null if the file is unsigned. */
  fingerprint: string | null;
  keys: Pick<ChainKey, 'fingerprint' | 'from'>[];
  findings: Finding[];
  notes: string[];
};

/** Returns the first 80 bits of a fingerprint in groups of four digits, so that people can compare it. */
export const formatShortFingerprint = (fingerprint: string): string =>
  (fingerprint.slice(0, 20).match(/.{4}/g) ?? [fingerprint]).join(' ');

export const createFinding = (
  code: string,
  sentence: string,
  { line = null, row = null }: { line?: number | null; row?: number | null } = {},
): Finding => ({ code, line, row, sentence });

export type FileLine = { line: number; text: string; value: unknown };

/** Reads the lines of a JSON Lines file. Reports a finding if the last line does not end with a line break. */
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

/** Parses a line with a schema. Reports a finding unless the line is byte-identical to what the companion writes. */
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
