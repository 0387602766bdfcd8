import { useCoreQuery } from '../../api/useCall.ts';
import { Trans } from 'react-i18next';
import { type ListingCounts, callCore } from '../../api/call.ts';
import { t, translateMessage } from '../../i18n.ts';
import { RelativeTime } from '../../components/text/RelativeTime.tsx';
import { UntrustedText } from '../../components/text/UntrustedText.tsx';
import styles from './listings.module.css';
import { useLocation, Link } from 'wouter';
import { useScreenKeys } from '../../components/Keys.tsx';
import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useCallback, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import { maxBatchListings } from '../approvals/batch/useBatches.ts';
import { downloadExport, RunningExports } from '../../components/RunningExports.tsx';
import { EmptyScreen, ErrorLine, ProblemLine } from '../../components/ScreenPage.tsx';
import { BulkActionBar } from './BulkBar.tsx';
import { createLazyComponent } from '../../components/createLazyComponent.tsx';
import { hasSeveralSites, ListingToolbar, StatusTabs, ViewControls } from './Toolbar.tsx';
import {
  isAnyFilterSet,
  keepSamePages,
  useListingSearch,
  type ListingSearch,
  type VisibleRows,
  useListingSelection,
  type ListingSelection,
  useListingQuery,
  useListView,
} from './useListings.ts';
import { ListingGrid, clickFocusedCheckbox, ListingTable } from './ListingViews.tsx';
import { ListingPane } from './ListingPane.tsx';
import { PickList, PickListButton, pickListId } from './PickList.tsx';
import { formatNumber } from '../../components/text/format.ts';

const UndoBulkEdit = createLazyComponent(async () => (await import('./bulk/BulkEdit.tsx')).UndoBulkEdit);

export const SyncProgressLine = ({
  total,
  sync,
}: {
  total: number | null;
  sync: ListingCounts['sync'] | undefined;
}) => (
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
          components={{ sentence: <UntrustedText text={translateMessage(sync.says, sync.problem)} /> }}
        />
      </span>
    )}
  </p>
);

const UnknownListingsLine = ({ counts: { all, missing } }: { counts: ListingCounts }) =>
  missing > 0 && (
    <ProblemLine>
      {missing > 1 && missing === all
        ? t('listings.allUnknown')
        : t('listings.unknown', { count: missing, number: formatNumber(missing) })}
    </ProblemLine>
  );

const listListingLinks = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>('[data-listing]')];

/** Escape closes the open listing, or clears the selection if no listing is open. */
export const useListingRowKeys = (openId: string | null, clear: (() => void) | null): void => {
  const [, go] = useLocation();
  const moveRowFocus = (by: number): void => {
    if (openId !== null) return;
    const all = listListingLinks();
    const at = all.findIndex((link) => link === document.activeElement);
    const next = all[at === -1 ? 0 : at + by];
    next?.focus();
    next?.scrollIntoView({ block: 'nearest' });
  };
  useScreenKeys({
    j: () => moveRowFocus(1),
    k: () => moveRowFocus(-1),
    ArrowDown: () => moveRowFocus(1),
    ArrowUp: () => moveRowFocus(-1),
    x: () => clickFocusedCheckbox(false),
    X: () => clickFocusedCheckbox(true),
    Escape: () => {
      if (openId !== null) return go('/listings');
      clear?.();
    },
  });
};

/** Focuses the row of a listing when the listing closes, unless the focus is elsewhere. */
const useRestoreRowFocus = (openId: string | null): void => {
  const before = useRef(openId);
  useEffect(() => {
    const left = before.current;
    before.current = openId;
    if (openId !== null || left === null || !document.activeElement?.matches('body, main')) return;
    listListingLinks()
      .find(({ dataset }) => dataset.listing === left)
      ?.focus({ preventScroll: true });
  }, [openId]);
};

const useListingCounts = () => useCoreQuery(['listings', 'counts'], 'listings.counts', {});

const useSearchResultActions = ({ asked }: ListingSearch, take: ListingSelection['take']) => {
  const client = useQueryClient();
  const { sort, ...filter } = asked;
  const save = useMutation({ mutationFn: () => callCore('listings.export', filter), onSuccess: downloadExport });
  const all = useMutation({
    mutationFn: () => callCore('listings.search', { ...filter, sort, limit: maxBatchListings }),
    onSuccess: ({ rows }) => take(rows),
  });
  const again = useMutation({
    mutationFn: () => callCore('listings.again', {}),
    onSuccess: (counts) => client.setQueryData(['listings', 'counts'], counts),
  });
  return { save, all, again, error: save.error ?? all.error ?? again.error };
};

const NoListingsFound = ({ onClear }: { onClear: (() => void) | null }) => (
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

const ListingListAndPane = ({ openId }: { openId: string | null }) => {
  const { filter, sort, changeFilter, added, clearAll, setSort } = useListingQuery();
  const [sight, setSight] = useState<VisibleRows>({ first: 0, last: 0 });
  const [view, setView] = useListView();
  const counts = useListingCounts().data;
  const found = useListingSearch(filter, sort, sight);
  const chosen = useListingSelection(found);
  const whole = useSearchResultActions(found, chosen.take);
  const updateVisibleRows = useCallback((next: VisibleRows) => setSight((before) => keepSamePages(before, next)), []);
  useRestoreRowFocus(openId);
  useListingRowKeys(openId, chosen.total > 0 ? chosen.clear : null);
  const { total } = found;
  // The header appears first. The rows render in parts, so that they block no frame.
  const areRowsDue = useDeferredValue(true, false);
  const isSiteShown = hasSeveralSites(counts);
  const columns = useMemo(
    () => (isSiteShown ? view.columns : view.columns.filter((name) => name !== 'site')),
    [isSiteShown, view.columns],
  );
  const selectAll = (): void => whole.all.mutate();
  const filters = { filter, counts, onFilter: changeFilter };
  const hasNothing = counts?.all === 0 && !isAnyFilterSet(filter);
  return (
    <div className={styles.screen}>
      <section className={styles.list} aria-label={t('listings.title')} inert={openId !== null}>
        <header className={styles.top}>
          <div className={styles.title}>
            <h1>{t('listings.title')}</h1>
            <RunningExports kinds={['listings']} />
            <SyncProgressLine total={total} sync={counts?.sync} />
          </div>
          {!hasNothing && (
            <>
              <div className={styles.tabs}>
                <StatusTabs {...filters} />
                <PickListButton />
                <ViewControls
                  counts={counts}
                  view={view}
                  onView={setView}
                  onExport={() => whole.save.mutate()}
                  onAgain={() => whole.again.mutate()}
                />
              </div>
              <ListingToolbar {...filters} added={added} sort={sort} onSort={setSort} />
            </>
          )}
          {counts && <UnknownListingsLine counts={counts} />}
          <UndoBulkEdit />
          <ErrorLine error={found.error ?? whole.error} />
        </header>
        {total === 0 && <NoListingsFound onClear={isAnyFilterSet(filter) ? clearAll : null} />}
        {areRowsDue &&
          total !== null &&
          total > 0 &&
          (view.kind === 'table' ? (
            <ListingTable
              {...{ found, total, chosen, onSight: updateVisibleRows, sort }}
              columns={columns}
              onSort={setSort}
              onAll={selectAll}
            />
          ) : (
            <ListingGrid found={found} total={total} chosen={chosen} onSight={updateVisibleRows} />
          ))}
        {chosen.total > 0 && (
          <BulkActionBar
            {...{ chosen, total: total ?? 0, covered: openId !== null }}
            onAll={selectAll}
            onShow={clearAll}
          />
        )}
      </section>
      {openId !== null && <ListingPane key={openId} listingId={openId} />}
    </div>
  );
};

export const ListingsScreen = ({ openId }: { openId: string | null }) =>
  openId === pickListId ? <PickList /> : <ListingListAndPane openId={openId} />;
