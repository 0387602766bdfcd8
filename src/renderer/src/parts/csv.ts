type Cell = string | number | null;

/** A spreadsheet takes text that begins like a formula for one; a quote before it keeps it text. A number is a number. */
const cell = (value: Cell): string => {
  if (typeof value === 'number') return String(value);
  const text = value ?? '';
  return `"${(/^[=+\-@\t\r]/.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`;
};

/** A table as a spreadsheet reads it, RFC 4180. */
export const csv = (rows: readonly (readonly Cell[])[]): string =>
  rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('');
