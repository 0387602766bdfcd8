/** One cell of a CSV file. A spreadsheet takes text that begins like a formula for one; a quote before it keeps it text. */
export const csvCell = (value: unknown): string => {
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : JSON.stringify(value);
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return `"${safe.replaceAll('"', '""')}"`;
};
