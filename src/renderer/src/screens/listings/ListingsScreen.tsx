import { Trans } from 'react-i18next';
import { type ListingCounts, call, sentenceOf } from '../../api/call.ts';
import { t, translate } from '../../i18n.ts';
import { RelativeTime } from '../../components/text/RelativeTime.tsx';
import { UntrustedText } from '../../components/text/UntrustedText.tsx';
import styles from './listings.module.css';
import { useLocation, Link } from 'wouter';
import { useKeys } from '../../components/Keys.tsx';
import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { mostAtOnce } from '../approvals/batch/useBatches.ts';
import { EmptyScreen, ProblemLine } from '../../components/Page.tsx';
import { saveFile } from '../../components/DataTable.tsx';
import { BulkBar } from './BulkBar.tsx';
import { lazyComponent } from '../../components/lazyComponent.tsx';
import { Filters, Toolbar } from './Toolbar.tsx';
import {
  noFilter,
  isFiltered,
  type Filter,
  type Sort,
  onlyNewPages,
  useListingSearch,
  type ListingSearch,
  type VisibleRows,
  useListingSelection,
  type ListingSelection,
  useView,
} from './useListings.ts';
import { Grid, pressTick, Table } from './ListingViews.tsx';
import { ListingPane } from './ListingPane.tsx';
import { formatNumber } from '../../components/text/format.ts';

/** Loaded when there is a change to undo. */
const PutBack = lazyComponent(async () => (await import('./bulk/BulkEdit.tsx')).PutBack);

/** The number of listings found and the progress of the sync. */
export const SyncLine = ({ total, sync }: { total: number | null; sync: ListingCounts['sync'] | undefined }) => (
  <p className={styles.sync} aria-live="polite">
    {total !== null && t('listings.found', { count: total, number: formatNumber(total) })}
    {sync?.running && ` · ${t('listings.reading', { number: formatNumber(sync.read) })}`}
    {sync && !sync.running && sync.problem === null && sync.doneAt !== null && (
      <>
        {' · '}
        <Trans i18nKey="listings.readAt" components={{ when: <RelativeTime at={sync.doneAt} /> }} />
      </>
    )}
    {sync?.problem && (
      <span className={styles.look}>
        {' · '}
        <Trans
          i18nKey="listings.notRead"
          components={{ sentence: <UntrustedText text={translate(sync.says, sync.problem)} /> }}
        />
      </span>
    )}
  </p>
);

const UnknownLine = ({ counts: { all, missing } }: { counts: ListingCounts }) =>
  missing > 0 && (
    <ProblemLine>
      {missing > 1 && missing === all
        ? t('listings.allUnknown')
        : t('listings.unknown', { count: missing, number: formatNumber(missing) })}
    </ProblemLine>
  );

const links = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>('[data-listing]')];

/**
 * Handles the keys of the list: J, K and arrows move between rows, X and Space select the focused row, Escape closes
 * the open listing or clears the selection.
 */
export const useRowKeys = (openId: string | null, clear: (() => void) | null): void => {
  const [, go] = useLocation();
  const move = (by: number): void => {
    if (openId !== null) return;
    const all = links();
    const at = all.findIndex((link) => link === document.activeElement);
    const next = all[at === -1 ? 0 : at + by];
    next?.focus();
    next?.scrollIntoView({ block: 'nearest' });
  };
  useKeys({
    j: () => move(1),
    k: () => move(-1),
    ArrowDown: () => move(1),
    ArrowUp: () => move(-1),
    x: () => pressTick(false),
    X: () => pressTick(true),
    Escape: () => {
      if (openId !== null) return go('/listings');
      clear?.();
    },
  });
};

/** Focuses the row of a listing when it is closed, unless the focus is elsewhere. */
const useWayBack = (openId: string | null): void => {
  const before = useRef(openId);
  useEffect(() => {
    const left = before.current;
    before.current = openId;
    if (openId !== null || left === null || !document.activeElement?.matches('body, main')) return;
    links()
      .find(({ dataset }) => dataset.listing === left)
      ?.focus({ preventScroll: true });
  }, [openId]);
};

const useCounts = () => useQuery({ queryKey: ['listings', 'counts'], queryFn: () => call('listings.counts', {}) });

/** The mutations for the whole result: export it, select it and sync again. */
const useWhole = ({ asked }: ListingSearch, take: ListingSelection['take']) => {
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

export const ListingsScreen = ({ openId }: { openId: string | null }) => {
  const [filter, setFilter] = useState<Filter>(noFilter);
  const [sort, setSort] = useState<Sort>('newest');
  const [sight, setSight] = useState<VisibleRows>({ first: 0, last: 0 });
  const [view, setView] = useView();
  const [unfolded, setUnfolded] = useState(false);
  // The filters stay visible while one of them is set.
  const isNarrowed = isFiltered({ ...filter, q: '' });
  const counts = useCounts().data;
  const found = useListingSearch(filter, sort, sight);
  const chosen = useListingSelection(found);
  const whole = useWhole(found, chosen.take);
  const onSight = useCallback((next: VisibleRows) => setSight((before) => onlyNewPages(before, next)), []);
  useWayBack(openId);
  useRowKeys(openId, chosen.rows.length > 0 ? chosen.clear : null);
  const { total } = found;
  const problem = found.error ?? whole.error;
  return (
    <div className={styles.screen}>
      <section className={styles.list} aria-label={t('listings.title')} inert={openId !== null}>
        <header className={styles.top}>
          <h1>{t('listings.title')}</h1>
          <SyncLine total={total} sync={counts?.sync} />
          {counts && <UnknownLine counts={counts} />}
          <Toolbar
            q={filter.q}
            onFind={(q) => setFilter({ ...filter, q })}
            sort={sort}
            onSort={setSort}
            view={view}
            onView={setView}
            folded={!unfolded && !isNarrowed}
            onFold={isNarrowed ? null : () => setUnfolded(!unfolded)}
            onExport={() => whole.save.mutate()}
            onAgain={() => whole.again.mutate()}
          />
          <Filters filter={filter} counts={counts} folded={!unfolded && !isNarrowed} onChange={setFilter} />
          {chosen.rows.length > 0 && (
            <BulkBar chosen={chosen} total={total ?? 0} covered={openId !== null} onAll={() => whole.all.mutate()} />
          )}
          <PutBack />
          {problem && <ProblemLine>{sentenceOf(problem)}</ProblemLine>}
        </header>
        {total === 0 && <NoneFound onClear={isFiltered(filter) ? () => setFilter(noFilter) : null} />}
        {total !== null &&
          total > 0 &&
          (view.kind === 'table' ? (
            <Table
              {...{ found, total, chosen, onSight, sort }}
              columns={view.columns}
              onSort={setSort}
              onAll={() => whole.all.mutate()}
            />
          ) : (
            <Grid found={found} total={total} chosen={chosen} onSight={onSight} />
          ))}
      </section>
      {openId !== null && <ListingPane key={openId} listingId={openId} />}
    </div>
  );
};
