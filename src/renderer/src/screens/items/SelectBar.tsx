import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef, useSyncExternalStore } from 'react';
import { callCore, type ItemSummary } from '../../api/call.ts';
import { deselectItems, selectedItems, type ItemSelection } from '../../api/itemSelection.ts';
import { createItemFilter, readReadyItems, useSelectedItems, useReadyItems } from '../../api/itemQueries.ts';
import { escapeHiddenText } from '../../components/text/UntrustedText.tsx';
import { useScreenKeys } from '../../components/Keys.tsx';
import { ActionButton } from '../../components/acts/offeredActs.tsx';
import { t } from '../../i18n.ts';
import styles from './select.module.css';
import { ErrorLine, ProblemLine } from '../../components/ScreenPage.tsx';
import { SelectionBar, SelectionRow } from '../../components/lists/SelectionBar.tsx';
import { SelectedItemActions } from './arrange/ArrangeBar.tsx';
import { maxBatchListings, useBatchPublishRequest } from '../approvals/batch/useBatches.ts';
import { createLazyComponent } from '../../components/createLazyComponent.tsx';

/** Loaded separately, because most people select no items at start. */
const SelectedListingActs = createLazyComponent(
  async () => (await import('./SelectedListingActs.tsx')).SelectedListingActs,
);
const UndoBulkEdit = createLazyComponent(async () => (await import('../listings/bulk/BulkEdit.tsx')).UndoBulkEdit);

export const isItemSelectable = (item: ItemSummary): boolean =>
  (item.step === 'review' && item.listingId !== null && item.stop === null) || item.arrangeable;

const unreadItems = { total: null, itemIds: [], checked: [] };

const readPublishableIds = async (find: string): Promise<string[]> => {
  const filter = createItemFilter(find);
  const readChosen = async (itemIds: readonly string[]) =>
    itemIds.length === 0 ? [] : (await callCore('items.chosen', { ...filter, itemIds: [...itemIds] })).ready;
  const picked = await readChosen([...selectedItems.get()]);
  const all = picked.length > 0 ? picked : await readChosen((await callCore('items.ready', filter)).checked);
  return all.filter(({ hidden }) => !hidden).map(({ listingId }) => listingId);
};

/** Deselects items that can no longer be published or arranged. Returns the same object until the selection changes. */
export const useItemSelection = (find: string): ItemSelection => {
  const chosen = useSyncExternalStore(selectedItems.subscribe, selectedItems.get);
  const last = useRef<string | null>(null);
  const client = useQueryClient();
  const ready = useReadyItems(find) ?? unreadItems;
  const { data: now, isFetching } = useSelectedItems(
    useMemo(() => [...chosen], [chosen]),
    find,
  );
  useEffect(() => {
    if (!now || isFetching) return;
    const left = new Set([...now.ready, ...now.arrangeable].map(({ itemId }) => itemId));
    deselectItems([...chosen].filter((id) => !left.has(id)));
  }, [now, isFetching, chosen]);
  // Every row receives this function, so it stays the same until the search changes.
  const toggle = useCallback(
    (itemId: string, range: boolean): void => {
      const addToSelection = (itemIds: readonly string[]): void =>
        selectedItems.set(new Set([...selectedItems.get(), ...itemIds]));
      const from = last.current;
      last.current = itemId;
      if (range && from !== null)
        void callCore('items.between', { ...createItemFilter(find), from, to: itemId }).then(addToSelection, () =>
          addToSelection([itemId]),
        );
      else if (range || !selectedItems.get().has(itemId)) addToSelection([itemId]);
      else deselectItems([itemId]);
    },
    [find],
  );
  return useMemo(() => {
    const isItemChosen = ({ itemId }: { itemId: string }): boolean => chosen.has(itemId);
    const selected = (now?.ready ?? []).filter(isItemChosen);
    const groups = (now?.arrangeable ?? []).filter(isItemChosen);
    return {
      ready,
      selected,
      groups,
      readPublishableIds: () => readPublishableIds(find),
      any: chosen.size > 0,
      some: selected.length + groups.length > 0,
      has: (itemId: string): boolean => chosen.has(itemId),
      toggle,
      all: () =>
        void readReadyItems(client, find).then(
          ({ itemIds }) => selectedItems.set(new Set(itemIds)),
          () => undefined,
        ),
      clear: () => selectedItems.set(new Set()),
    };
  }, [ready, chosen, now, find, toggle, client]);
};

type TickProps = { item: ItemSummary; chosen: boolean; toggle: ItemSelection['toggle'] };

export const SelectItemCheckbox = ({ item, chosen, toggle }: TickProps) => (
  <label className={styles.tick}>
    <input
      type="checkbox"
      aria-label={t('items.select', { name: escapeHiddenText(item.title ?? item.name) })}
      checked={chosen}
      onChange={(event) => {
        const { nativeEvent } = event;
        toggle(item.itemId, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey);
      }}
    />
  </label>
);

const formatSelectAllLabel = (count: number): string =>
  count > maxBatchListings ? t('items.selectFirst', { count: maxBatchListings }) : t('items.selectAll', { count });

const useCheckedListingIds = (itemIds: readonly string[]): readonly string[] => {
  const { data: chosen } = useSelectedItems(itemIds);
  return itemIds.length === 0 ? [] : (chosen?.ready ?? []).map(({ listingId }) => listingId);
};

/** `onShow` brings the selected items into the list. */
type SelectBarProps = { selection: ItemSelection; onShow: () => void };

const PublishSelectionRow = ({ selection, onShow }: SelectBarProps) => {
  const publish = useBatchPublishRequest();
  const { selected } = selection;
  const isChosen = selected.length > 0;
  const checked = useCheckedListingIds(selection.ready.checked);
  const shown = selected.filter(({ hidden }) => !hidden);
  const ids = isChosen ? shown.map(({ listingId }) => listingId) : checked;
  const isTooMany = ids.length > maxBatchListings;
  const reading = useRef(false);
  const requestPublishApproval = async (): Promise<void> => {
    if (publish.busy || reading.current) return;
    reading.current = true;
    const listingIds = await selection.readPublishableIds().catch(() => ids);
    reading.current = false;
    // The selection stays unchanged until the batch is approved, because the person might withdraw it.
    publish.ask(listingIds);
  };
  useScreenKeys({ p: () => void requestPublishApproval() });
  if (!isChosen && ids.length === 0) return null;
  const summary = isChosen
    ? t('items.selected', { count: selected.length })
    : t('items.checkedCount', { count: ids.length });
  return (
    <>
      <SelectionRow
        summary={summary}
        hidden={{ count: selected.length - shown.length, show: onShow }}
        clear={isChosen ? { label: t('items.clear'), run: selection.clear } : null}
      >
        {ids.length > 0 && (
          <ActionButton
            act="selection"
            about={summary}
            variant="ink"
            size="compact-sm"
            aria-keyshortcuts="P"
            loading={publish.busy}
            disabled={isTooMany}
            onClick={() => void requestPublishApproval()}
          >
            {t('items.publishMany', { count: ids.length })}
          </ActionButton>
        )}
        {isChosen && <SelectedListingActs listingIds={ids} about={summary} />}
      </SelectionRow>
      {isTooMany && <ProblemLine>{t('items.atMost', { count: maxBatchListings })}</ProblemLine>}
      <ErrorLine error={publish.error} />
      {isChosen && <UndoBulkEdit />}
    </>
  );
};

/**
 * Stays in its place while there is more than one item to select, so that selecting moves no row. `expected` is their
 * number until the items are read. It reserves the line but is not shown, so no row moves.
 */
export const SelectAllLine = ({ selection, expected }: { selection: ItemSelection; expected: number }) => {
  const { ready, selected } = selection;
  const total = ready.total ?? expected;
  if (total < 2) return null;
  const isLeft = total > maxBatchListings || ready.itemIds.some((itemId) => !selection.has(itemId));
  const more = isLeft && selected.length < maxBatchListings;
  return (
    <div className={styles.bar}>
      <button
        type="button"
        className={styles.all}
        aria-keyshortcuts="Control+A"
        aria-disabled={!more}
        data-unread={ready.total === null || undefined}
        onClick={() => more && selection.all()}
      >
        {formatSelectAllLabel(total)}
      </button>
    </div>
  );
};

export const SelectBar = ({ selection, onShow }: SelectBarProps) => {
  const hasRow = selection.any || selection.ready.checked.length > 0 || selection.groups.length > 0;
  if (!hasRow) return null;
  return (
    <SelectionBar>
      {selection.groups.length > 0 && <SelectedItemActions selection={selection} onShow={onShow} />}
      <PublishSelectionRow selection={selection} onShow={onShow} />
    </SelectionBar>
  );
};
