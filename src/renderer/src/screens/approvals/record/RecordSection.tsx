import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconChevronDown, IconSearch } from '@tabler/icons-react';
import { keepPreviousData, useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { useDeferredValue, useId, useState } from 'react';
import { callCore, type HistoryPage } from '../../../api/call.ts';
import { clearOnEscape } from '../../../components/fields/useTypedText.ts';
import { FilterTabs } from '../../../components/lists/FilterTabs.tsx';
import { downloadExport, RunningExports } from '../../../components/RunningExports.tsx';
import { ErrorLine, ProblemLine } from '../../../components/ScreenPage.tsx';
import { escapeHiddenText } from '../../../components/text/UntrustedText.tsx';
import { i18n, t } from '../../../i18n.ts';
import { formatAskerName } from '../approvalText.ts';
import styles from './record.module.css';
import { RecordDays } from './RecordList.tsx';

const recordExports = [
  ['approvals.record.exportLines', () => callCore('history.export', { format: 'jsonl' })],
  ['approvals.record.exportCsv', () => callCore('history.export', { format: 'csv' })],
  ['approvals.record.exportReceipts', () => callCore('receipts.exportAll', {})],
] as const;

const RecordExportButtons = () => {
  const made = useMutation({
    mutationFn: (take: (typeof recordExports)[number][1]) => take(),
    onSuccess: downloadExport,
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
      <RunningExports kinds={['history', 'receipts']} />
      <ErrorLine error={made.error} />
    </div>
  );
};

/** A short form for comparison by eye. The command line accepts it too. */
const formatShortFingerprint = (fingerprint: string): string =>
  (fingerprint.slice(0, 20).match(/.{4}/g) ?? []).join(' ');

type SignedPanelProps = Pick<HistoryPage, 'signing' | 'brokenAt'> & { id: string };

const SignedPanel = ({ id, signing: { fingerprint, keychain }, brokenAt }: SignedPanelProps) => (
  <div id={id} className={styles.signing}>
    <p title={fingerprint}>{t('approvals.record.signedBy', { key: formatShortFingerprint(fingerprint) })}</p>
    {brokenAt === null && <p>{t('approvals.record.intact')}</p>}
    {keychain === 'memory' && <p>{t('approvals.record.thisRunOnly')}</p>}
    <RecordExportButtons />
  </div>
);

const answers = ['all', 'yes', 'no', 'waiting'] as const;
type RecordFilter = { q: string; answer: (typeof answers)[number]; askerId: string };

type FilterRowProps = {
  filter: RecordFilter;
  askers: HistoryPage['askers'];
  onFilter: (filter: RecordFilter) => void;
};

const RecordFilterRow = ({ filter, askers, onFilter }: FilterRowProps) => (
  <div className={styles.filters}>
    <FilterTabs
      label={t('approvals.record.answer')}
      value={filter.answer}
      onChange={(answer) => onFilter({ ...filter, answer })}
      tabs={answers.map((value) => ({ value, label: t(`approvals.record.answers.${value}`) }))}
    />
    <NativeSelect
      aria-label={t('approvals.record.asker')}
      size="xs"
      value={filter.askerId}
      onChange={(event) => onFilter({ ...filter, askerId: event.currentTarget.value })}
      data={[
        { value: '', label: t('approvals.record.anyAsker') },
        ...askers.map((by) => ({
          value: by.kind === 'person' ? 'person' : by.assistantId,
          label: escapeHiddenText(formatAskerName({ by })),
        })),
      ]}
    />
    <TextInput
      aria-label={t('approvals.record.search')}
      data-search
      placeholder={t('approvals.record.searchShort')}
      size="xs"
      leftSection={<IconSearch size={16} aria-hidden />}
      value={filter.q}
      onChange={(event) => onFilter({ ...filter, q: event.currentTarget.value })}
      onKeyDown={clearOnEscape(filter.q, (q) => onFilter({ ...filter, q }))}
    />
  </div>
);

const pageRows = 50;

const findNextPageStart = ({ rows }: HistoryPage): number | undefined =>
  rows.length < pageRows ? undefined : rows.at(-1)?.seq;

const getFirstPageStart = (): number | null => null;

const useRecordPages = ({ q, answer, askerId }: RecordFilter) =>
  useInfiniteQuery({
    queryKey: ['approvals', 'record', i18n.language, q, answer, askerId],
    queryFn: ({ pageParam }) =>
      callCore('history.search', {
        ...{ q, limit: pageRows, language: i18n.language },
        ...(pageParam === null ? {} : { before: pageParam }),
        ...(answer === 'all' ? {} : { answer }),
        ...(askerId === '' ? {} : { askerId }),
      }),
    initialPageParam: getFirstPageStart(),
    getNextPageParam: findNextPageStart,
    placeholderData: keepPreviousData,
  });

const noPages: readonly HistoryPage[] = [];

const everything: RecordFilter = { q: '', answer: 'all', askerId: '' };

export const RecordSection = () => {
  const [filter, setFilter] = useState(everything);
  const [q] = useDebouncedValue(filter.q.trim(), 250);
  const record = useRecordPages({ ...filter, q });
  // The value is deferred to keep key presses fast.
  const pages = useDeferredValue(record.data)?.pages ?? noPages;
  const [first] = pages;
  const brokenAt = first?.brokenAt ?? null;
  const [chosen, setChosen] = useState<boolean | null>(null);
  // The numbers of the rows are needed to find a row that was changed.
  const isSignedOpen = chosen ?? brokenAt !== null;
  const id = useId();
  const isFiltered = q !== '' || filter.answer !== 'all' || filter.askerId !== '';
  return (
    <section aria-label={t('approvals.record.title')} className={styles.record} data-signed={isSignedOpen || undefined}>
      <div className={styles.head}>
        <h2>{t('approvals.record.title')}</h2>
        <Button
          size="compact-sm"
          variant="quiet"
          aria-expanded={isSignedOpen}
          aria-controls={isSignedOpen ? id : undefined}
          rightSection={<IconChevronDown size={16} aria-hidden />}
          onClick={() => setChosen(!isSignedOpen)}
        >
          {t('approvals.record.signed')}
        </Button>
      </div>
      {brokenAt !== null && <ProblemLine>{t('approvals.record.broken', { row: brokenAt })}</ProblemLine>}
      {isSignedOpen && first && <SignedPanel id={id} signing={first.signing} brokenAt={brokenAt} />}
      <RecordFilterRow filter={filter} askers={first?.askers ?? []} onFilter={setFilter} />
      <ErrorLine error={record.error} />
      <RecordDays pages={pages} brokenAt={brokenAt} />
      {first?.rows.length === 0 && (
        <p className={styles.none}>{isFiltered ? t('approvals.record.noMatch') : t('approvals.record.empty')}</p>
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
