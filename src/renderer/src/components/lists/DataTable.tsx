import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { t } from '../../i18n.ts';
import styles from './dataTable.module.css';

type FileDownload = { name: string; type: string; text: BlobPart };

/** Downloads a file from an address of the window's own origin. */
export const downloadFromUrl = ({ name, url }: { name: string; url: string }): void => {
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
};

export const downloadFile = ({ name, type, text }: FileDownload): void => {
  const url = URL.createObjectURL(new Blob([text], { type }));
  downloadFromUrl({ name, url });
  // The browser needs the URL only until the download starts.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
};

/** `cell` is the value in a spreadsheet, and `show` is the content on the screen. */
export type Column<Row> = { name: string; cell: (row: Row) => string | number | null } & (
  { show: (row: Row) => ReactNode; end?: boolean } | { inFileOnly: true }
);
type ShownColumn<Row> = Extract<Column<Row>, { show: unknown }>;

const isShownColumn = <Row,>(column: Column<Row>): column is ShownColumn<Row> => 'show' in column;

type Props<Row> = { name: string; file: string; columns: readonly Column<Row>[]; rows: readonly Row[] };

const downloadTableCsv = async <Row,>(
  file: string,
  columns: readonly Column<Row>[],
  rows: readonly Row[],
): Promise<void> => {
  const { formatCsvTable } = await import('../../../../text/csv.ts');
  const text = formatCsvTable([
    columns.map(({ name }) => name),
    ...rows.map((row) => columns.map(({ cell }) => cell(row))),
  ]);
  downloadFile({ name: `${file}.csv`, type: 'text/csv', text });
};

const TableRows = <Row,>({ columns, rows }: { columns: readonly ShownColumn<Row>[]; rows: readonly Row[] }) => (
  <table className={styles.table}>
    <thead>
      <tr>
        {columns.map((column) => (
          <th key={column.name} scope="col" data-end={column.end}>
            {column.name}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {rows.map((row, at) => (
        <tr key={at}>
          {columns.map((column) => (
            <td key={column.name} data-end={column.end}>
              {column.show(row)}
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  </table>
);

export const DataTable = <Row,>({ name, file, columns, rows }: Props<Row>) => (
  <div className={styles.frame} tabIndex={0} role="group" aria-label={name}>
    <TableRows columns={columns.filter(isShownColumn)} rows={rows} />
    <Button variant="quiet" size="compact-sm" onClick={() => void downloadTableCsv(file, columns, rows)}>
      {t('insights.exportCsv')}
    </Button>
  </div>
);
