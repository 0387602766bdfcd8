import Papa from 'papaparse';

export type CsvCell = string | number | null | undefined;

/**
 * Matches a text that a spreadsheet would run as a formula. The pattern of papaparse misses texts with a line break.
 */
const formulaPattern = /^[=+\-@\t\r\n]/;

/** Formats a table as CSV (RFC 4180). Texts that look like a formula are escaped; numbers are not. */
export const formatCsvTable = (rows: CsvCell[][]): string =>
  `${Papa.unparse(rows, { escapeFormulae: formulaPattern })}\r\n`;
