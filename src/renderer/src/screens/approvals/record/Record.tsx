import { Button, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import { sentenceOf } from '../../../api/callError.ts';
import { ProblemLine } from '../../../parts/ProblemLine.tsx';
import { ExportButtons } from './ExportButtons.tsx';
import { RecordList } from './RecordList.tsx';
import { SigningLine } from './SigningLine.tsx';
import { useRecord } from './useRecord.ts';
import { t } from '../../../i18n/t.ts';
import styles from './record.module.css';

/** Everything that was asked, answered and sent, newest first. */
export const Record = () => {
  const [text, setText] = useState('');
  const [q] = useDebouncedValue(text.trim(), 250);
  const record = useRecord(q);
  const rows = record.data?.pages.flatMap((page) => page.rows) ?? [];
  const { brokenAt = null, signing } = record.data?.pages[0] ?? {};
  return (
    <section aria-label={t('approvals.record.title')} className={styles.record}>
      <div className={styles.head}>
        <h2>{t('approvals.record.title')}</h2>
        <ExportButtons />
      </div>
      {brokenAt !== null && <ProblemLine>{t('approvals.record.broken', { row: brokenAt })}</ProblemLine>}
      {signing && <SigningLine signing={signing} />}
      <TextInput
        aria-label={t('approvals.record.search')}
        placeholder={t('approvals.record.searchShort')}
        leftSection={<IconSearch size={16} aria-hidden />}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      {record.error && <ProblemLine>{sentenceOf(record.error)}</ProblemLine>}
      <RecordList label={t('approvals.record.rows')} rows={rows} brokenAt={brokenAt} />
      {record.data && rows.length === 0 && (
        <p className={styles.soft}>{q === '' ? t('approvals.record.empty') : t('approvals.record.noMatch')}</p>
      )}
      {record.hasNextPage && (
        <div>
          <Button loading={record.isFetchingNextPage} onClick={() => void record.fetchNextPage()}>
            {t('approvals.record.loadMore')}
          </Button>
        </div>
      )}
    </section>
  );
};
