import Papa from 'papaparse';
import { expect, test } from 'vitest';
import { formatCsvTable } from '../../../src/text/csv.ts';

test('a CSV file keeps numbers as numbers and texts unchanged', () => {
  expect(formatCsvTable([['a"b', -5, null, 'two\nlines', 'a, b']])).toBe('"a""b",-5,,"two\nlines","a, b"\r\n');
  expect(formatCsvTable([])).toBe('\r\n');
});

test.each(['=1+1', '+1', '-5', '@SUM(A1)', '\tx', '\rx', '\n=1', '=HYPERLINK("https://bad.example")\nand more'])(
  'text that a spreadsheet could read as a formula stays text: %j',
  (text) => {
    expect(Papa.parse(formatCsvTable([[text]]).slice(0, -2)).data).toEqual([[`'${text}`]]);
  },
);
