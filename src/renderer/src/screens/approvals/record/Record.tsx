import { Button, TextInput } from '@mantine/core';
import { useMutation, keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { call, sentenceOf, type HistoryPage } from '../../../api/call.ts';
import { ProblemLine } from '../../../components/Page.tsx';
import { saveFile } from '../../../components/DataTable.tsx';
import { t } from '../../../i18n.ts';
import styles from './record.module.css';
import { useDebouncedValue } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import { RecordList } from './RecordList.tsx';

const files = [
  ['approvals.record.exportLines', () => call('history.export', { format: 'jsonl' })],
  ['approvals.record.exportCsv', () => call('history.export', { format: 'csv' })],
  ['approvals.record.exportReceipts', () => call('receipts.export', {})],
] as const;

/** Exports the whole record, or the receipts of all approvals. */
const ExportButtons = () => {
  const made = useMutation({
    mutationFn: (take: (typeof files)[number][1]) => take(),
    onSuccess: saveFile,
  });
  return (
    <div className={styles.exports}>
      {files.map(([words, take]) => (
        <Button
          key={words}
          size="compact-sm"
          variant="quiet"
          disabled={made.isPending}
          onClick={() => made.mutate(take)}
        >
          {t(words)}
        </Button>
      ))}
      {made.error && <ProblemLine>{sentenceOf(made.error)}</ProblemLine>}
    </div>
  );
};

/** Formats a fingerprint for comparison by eye; the command line accepts this form too. */
const shortKey = (fingerprint: string): string => (fingerprint.slice(0, 20).match(/.{4}/g) ?? []).join(' ');

/** The key that signs the rows; the full fingerprint is in the title attribute. */
const SigningLine = ({ signing: { fingerprint, keychain } }: Pick<HistoryPage, 'signing'>) => (
  <p className={styles.signing}>
    <span title={fingerprint}>{t('approvals.record.signedBy', { key: shortKey(fingerprint) })}</span>
    {keychain === 'memory' && <span>{t('approvals.record.thisRunOnly')}</span>}
  </p>
);

const pageRows = 50;

/** Returns where the next page starts; undefined after the last page. */
const after = ({ rows }: HistoryPage): number | undefined => (rows.length < pageRows ? undefined : rows.at(-1)?.seq);

const firstPage = (): number | null => null;

/** Reads the record page by page, newest first, filtered by these words. */
const useRecord = (q: string) =>
  useInfiniteQuery({
    queryKey: ['approvals', 'record', q],
    queryFn: ({ pageParam }) =>
      call('history.search', { q, limit: pageRows, ...(pageParam === null ? {} : { before: pageParam }) }),
    initialPageParam: firstPage(),
    getNextPageParam: after,
    placeholderData: keepPreviousData,
  });

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
      <RecordList label={t('approvals.record.rows')} rows={rows} brokenAt={brokenAt} batched />
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
