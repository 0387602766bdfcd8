import Papa from 'papaparse';

/** A cell; null and undefined are empty ones. */
export type CsvCell = string | number | null | undefined;

/** A spreadsheet takes text that begins like this for a formula. papaparse's own pattern misses a text of two lines. */
const formula = /^[=+\-@\t\r\n]/;

/**
 * A table as a spreadsheet reads it: RFC 4180. A quote before what looks like a formula keeps it text; a number is a
 * number.
 */
export const csv = (rows: CsvCell[][]): string => `${Papa.unparse(rows, { escapeFormulae: formula })}\r\n`;
