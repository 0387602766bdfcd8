import { Button, TextInput } from '@mantine/core';
import { useMutation, keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { callCore, type HistoryPage } from '../../../api/call.ts';
import { ErrorLine, ProblemLine } from '../../../components/ScreenPage.tsx';
import { downloadFile } from '../../../components/DataTable.tsx';
import { t } from '../../../i18n.ts';
import styles from './record.module.css';
import { useDebouncedValue } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import { RecordLineList } from './RecordList.tsx';

const recordExports = [
  ['approvals.record.exportLines', () => callCore('history.export', { format: 'jsonl' })],
  ['approvals.record.exportCsv', () => callCore('history.export', { format: 'csv' })],
  ['approvals.record.exportReceipts', () => callCore('receipts.export', {})],
] as const;

const RecordExportButtons = () => {
  const made = useMutation({
    mutationFn: (take: (typeof recordExports)[number][1]) => take(),
    onSuccess: downloadFile,
  });
  return (
    <div className={styles.exports}>
      {recordExports.map(([words, take]) => (
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
      <ErrorLine error={made.error} />
    </div>
  );
};

/** A short form for comparison by eye. The command line accepts it too. */
const formatShortFingerprint = (fingerprint: string): string =>
  (fingerprint.slice(0, 20).match(/.{4}/g) ?? []).join(' ');

const SigningKeyLine = ({ signing: { fingerprint, keychain } }: Pick<HistoryPage, 'signing'>) => (
  <p className={styles.signing}>
    <span title={fingerprint}>{t('approvals.record.signedBy', { key: formatShortFingerprint(fingerprint) })}</span>
    {keychain === 'memory' && <span>{t('approvals.record.thisRunOnly')}</span>}
  </p>
);

const pageRows = 50;

const findNextPageStart = ({ rows }: HistoryPage): number | undefined =>
  rows.length < pageRows ? undefined : rows.at(-1)?.seq;

const getFirstPageStart = (): number | null => null;

const useRecordPages = (q: string) =>
  useInfiniteQuery({
    queryKey: ['approvals', 'record', q],
    queryFn: ({ pageParam }) =>
      callCore('history.search', { q, limit: pageRows, ...(pageParam === null ? {} : { before: pageParam }) }),
    initialPageParam: getFirstPageStart(),
    getNextPageParam: findNextPageStart,
    placeholderData: keepPreviousData,
  });

export const RecordSection = () => {
  const [text, setText] = useState('');
  const [q] = useDebouncedValue(text.trim(), 250);
  const record = useRecordPages(q);
  const rows = record.data?.pages.flatMap((page) => page.rows) ?? [];
  const { brokenAt = null, signing } = record.data?.pages[0] ?? {};
  return (
    <section aria-label={t('approvals.record.title')} className={styles.record}>
      <div className={styles.head}>
        <h2>{t('approvals.record.title')}</h2>
        <RecordExportButtons />
      </div>
      {brokenAt !== null && <ProblemLine>{t('approvals.record.broken', { row: brokenAt })}</ProblemLine>}
      {signing && <SigningKeyLine signing={signing} />}
      <TextInput
        aria-label={t('approvals.record.search')}
        placeholder={t('approvals.record.searchShort')}
        leftSection={<IconSearch size={16} aria-hidden />}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <ErrorLine error={record.error} />
      <RecordLineList label={t('approvals.record.rows')} rows={rows} brokenAt={brokenAt} batched />
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
