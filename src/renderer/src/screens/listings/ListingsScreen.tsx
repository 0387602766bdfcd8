import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { Link } from 'wouter';
import { call } from '../../api/call.ts';
import { sentenceOf } from '../../api/callError.ts';
import { t } from '../../i18n/t.ts';
import { EmptyScreen } from '../../parts/EmptyScreen.tsx';
import { ProblemLine } from '../../parts/ProblemLine.tsx';
import { saveFile } from '../../parts/saveFile.ts';
import { BulkBar } from './bulk/BulkBar.tsx';
import { Filters } from './Filters.tsx';
import { noFilter, isFiltered, type Filter, type Sort } from './filter.ts';
import { Grid } from './Grid.tsx';
import { ListingPane } from './ListingPane.tsx';
import { SyncLine } from './SyncLine.tsx';
import { Table } from './Table.tsx';
import { Toolbar } from './Toolbar.tsx';
import { mostAtOnce, useChosen, type Chosen } from './useChosen.ts';
import { onlyNewPages, useFound, type Found, type InSight } from './useFound.ts';
import { useRowKeys } from './useRowKeys.ts';
import { useView } from './useView.ts';
import styles from './listings.module.css';

const useCounts = () => useQuery({ queryKey: ['listings', 'counts'], queryFn: () => call('listings.counts', {}) });

/** Acts on all that are found: as a file, as the selection, and read again. */
const useWhole = ({ asked }: Found, take: Chosen['take']) => {
  const client = useQueryClient();
  const { sort, ...filter } = asked;
  const save = useMutation({ mutationFn: () => call('listings.export', filter), onSuccess: saveFile });
  const all = useMutation({
    mutationFn: () => call('listings.search', { ...filter, sort, limit: mostAtOnce }),
    onSuccess: ({ rows }) => take(rows),
  });
  const again = useMutation({
    mutationFn: () => call('listings.again', {}),
    onSuccess: (counts) => client.setQueryData(['listings', 'counts'], counts),
  });
  return { save, all, again, error: save.error ?? all.error ?? again.error };
};

const NoneFound = ({ onClear }: { onClear: (() => void) | null }) => (
  <div className={styles.none}>
    {onClear ? (
      <>
        <p>{t('listings.noneFound')}</p>
        <Button onClick={onClear}>{t('listings.clearFilters')}</Button>
      </>
    ) : (
      <EmptyScreen title={t('listings.emptyTitle')}>
        <p>{t('listings.empty')}</p>
        <Link href="/">{t('listings.firstStep')}</Link>
      </EmptyScreen>
    )}
  </div>
);

/** Every listing of the person: found, filtered, seen as a table or as photos, and changed many at a time. */
export const ListingsScreen = ({ openId }: { openId: string | null }) => {
  const [filter, setFilter] = useState<Filter>(noFilter);
  const [sort, setSort] = useState<Sort>('newest');
  const [sight, setSight] = useState<InSight>({ first: 0, last: 0 });
  const [view, setView] = useView();
  const chosen = useChosen();
  const counts = useCounts().data;
  const found = useFound(filter, sort, sight);
  const whole = useWhole(found, chosen.take);
  const onSight = useCallback((next: InSight) => setSight((before) => onlyNewPages(before, next)), []);
  useRowKeys(openId, chosen.rows.length > 0 ? chosen.clear : null);
  const { total } = found;
  const problem = found.error ?? whole.error;
  return (
    <div className={styles.screen}>
      <section className={styles.list} aria-label={t('listings.title')} inert={openId !== null}>
        <header className={styles.top}>
          <h1>{t('listings.title')}</h1>
          <SyncLine total={total} sync={counts?.sync} />
          <Toolbar
            q={filter.q}
            onFind={(q) => setFilter({ ...filter, q })}
            sort={sort}
            onSort={setSort}
            view={view}
            onView={setView}
            onExport={() => whole.save.mutate()}
            onAgain={() => whole.again.mutate()}
          />
          <Filters filter={filter} counts={counts} onChange={setFilter} />
          {chosen.rows.length > 0 && <BulkBar chosen={chosen} total={total ?? 0} onAll={() => whole.all.mutate()} />}
          {problem && <ProblemLine>{sentenceOf(problem)}</ProblemLine>}
        </header>
        {total === 0 && <NoneFound onClear={isFiltered(filter) ? () => setFilter(noFilter) : null} />}
        {total !== null &&
          total > 0 &&
          (view.kind === 'table' ? (
            <Table found={found} total={total} chosen={chosen} columns={view.columns} onSight={onSight} />
          ) : (
            <Grid found={found} total={total} chosen={chosen} onSight={onSight} />
          ))}
      </section>
      {openId !== null && <ListingPane key={openId} listingId={openId} />}
    </div>
  );
};
