import Papa from 'papaparse';

/** A cell of a table; null and undefined are empty. */
export type CsvCell = string | number | null | undefined;

/** Matches a text that a spreadsheet would run as a formula. papaparse's own pattern misses texts with a line break. */
const formulaPattern = /^[=+\-@\t\r\n]/;

/** Formats a table as CSV (RFC 4180). A text that looks like a formula is escaped; numbers are not. */
export const formatCsvTable = (rows: CsvCell[][]): string =>
  `${Papa.unparse(rows, { escapeFormulae: formulaPattern })}\r\n`;
