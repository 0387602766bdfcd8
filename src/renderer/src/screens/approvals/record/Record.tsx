import { Button, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import { sentenceOf } from '../../../api/callError.ts';
import { ProblemLine } from '../../../parts/ProblemLine.tsx';
import { ExportButtons } from './ExportButtons.tsx';
import { RecordRow } from './RecordRow.tsx';
import { useRecord } from './useRecord.ts';
import styles from './record.module.css';

/** Everything that was asked, answered and sent, newest first. */
export const Record = () => {
  const [text, setText] = useState('');
  const [q] = useDebouncedValue(text.trim(), 250);
  const record = useRecord(q);
  const rows = record.data?.pages.flatMap((page) => page.rows) ?? [];
  const brokenAt = record.data?.pages[0]?.brokenAt ?? null;
  return (
    <section aria-label="History" className={styles.record}>
      <div className={styles.head}>
        <h2>History</h2>
        <ExportButtons />
      </div>
      {brokenAt !== null && (
        <ProblemLine>The record was changed outside the companion at row {brokenAt}. It is shown as it is.</ProblemLine>
      )}
      <TextInput
        aria-label="Search the history"
        placeholder="Search"
        leftSection={<IconSearch size={16} aria-hidden />}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      {record.error && <ProblemLine>{sentenceOf(record.error)}</ProblemLine>}
      <ol className={styles.rows} aria-label="Rows of the history">
        {rows.map((row) => (
          <RecordRow key={row.seq} row={row} broken={brokenAt !== null && row.seq === brokenAt} />
        ))}
      </ol>
      {record.data && rows.length === 0 && (
        <p className={styles.soft}>
          {q === ''
            ? 'Nothing has been asked yet. Each question and its answer stays here.'
            : 'No row has these words.'}
        </p>
      )}
      {record.hasNextPage && (
        <div>
          <Button loading={record.isFetchingNextPage} onClick={() => void record.fetchNextPage()}>
            Load more
          </Button>
        </div>
      )}
    </section>
  );
};
