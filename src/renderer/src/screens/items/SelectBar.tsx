import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { CallAnswer } from '../../../../ipc/calls.ts';
import { callCore, type ItemSummary, readErrorSentence } from '../../api/call.ts';
import { createItemFilter, useChosenItems, useReadyItems } from '../../api/itemQueries.ts';
import { escapeHiddenText } from '../../components/text/UntrustedText.tsx';
import { useScreenKeys } from '../../components/Keys.tsx';
import { ActButton } from '../../components/acts/offeredActs.tsx';
import { t } from '../../i18n.ts';
import styles from './select.module.css';
import { Button } from '@mantine/core';
import { ProblemLine } from '../../components/ScreenPage.tsx';
import { maxAtOnce, useRequestPublishTogether } from '../approvals/batch/useBatches.ts';

/** Whether an item can be selected: to be published, or to be arranged. */
export const isItemSelectable = (item: ItemSummary): boolean =>
  (item.step === 'review' && item.listingId !== null && item.stop === null) || item.arrangeable;

export type ItemSelection = {
  /** The items of the list that can be published: their count, and up to `maxAtOnce` ids. */
  ready: CallAnswer<'items.ready'>;
  selected: CallAnswer<'items.chosen'>['ready'];
  /** The selected items whose photos can still be arranged. */
  groups: CallAnswer<'items.chosen'>['arrangeable'];
  /** Reads the ids of the selected listings, or else of the checked ones. May be newer than the rendered state. */
  readPublishableIds: () => Promise<string[]>;
  /** Whether anything is selected, even before the core has reported what can be done with it. */
  any: boolean;
  /** Whether any selected item can be published or arranged. */
  some: boolean;
  has: (itemId: string) => boolean;
  /** Adds or removes an item; with `range`, adds all items from the last one to this one. */
  toggle: (itemId: string, range: boolean) => void;
  /** Selects all items that can be published, up to `maxAtOnce`. */
  all: () => void;
  clear: () => void;
};

const noReadyItems = { total: 0, itemIds: [], checked: [] };

/** Module state, so that the selection survives a change of the screen. */
let keptSelection: ReadonlySet<string> = new Set();

/** The selected items. Items that are neither ready nor arrangeable any more are deselected. */
export const useItemSelection = (find: string): ItemSelection => {
  const [chosen, choose] = useState(keptSelection);
  const setChosen = useCallback((itemIds: ReadonlySet<string>): void => choose((keptSelection = itemIds)), []);
  const last = useRef<string | null>(null);
  const { ready = noReadyItems, read } = useReadyItems(find);
  const { data: now, isFetching } = useChosenItems(
    useMemo(() => [...chosen], [chosen]),
    find,
  );
  useEffect(() => {
    if (!now || isFetching) return;
    const left = new Set([...now.ready, ...now.arrangeable].map(({ itemId }) => itemId));
    if ([...keptSelection].some((id) => chosen.has(id) && !left.has(id)))
      setChosen(new Set([...keptSelection].filter((id) => left.has(id))));
  }, [now, isFetching, chosen, setChosen]);
  const isItemChosen = ({ itemId }: { itemId: string }): boolean => chosen.has(itemId);
  const selected = (now?.ready ?? []).filter(isItemChosen);
  const groups = (now?.arrangeable ?? []).filter(isItemChosen);
  const readPublishableIds = async (): Promise<string[]> => {
    const readListingIds = async (itemIds: readonly string[]): Promise<string[]> =>
      itemIds.length === 0
        ? []
        : (await callCore('items.chosen', { itemIds: [...itemIds] })).ready.map(({ listingId }) => listingId);
    const picked = await readListingIds([...keptSelection]);
    return picked.length > 0 ? picked : readListingIds((await callCore('items.ready', createItemFilter(find))).checked);
  };
  // Referentially stable until the search changes, because every row receives it.
  const toggle = useCallback(
    (itemId: string, range: boolean): void => {
      const addToSelection = (itemIds: readonly string[]): void => setChosen(new Set([...keptSelection, ...itemIds]));
      const from = last.current;
      last.current = itemId;
      if (range && from !== null)
        void callCore('items.between', { ...createItemFilter(find), from, to: itemId }).then(addToSelection, () =>
          addToSelection([itemId]),
        );
      else if (range || !keptSelection.has(itemId)) addToSelection([itemId]);
      else setChosen(new Set([...keptSelection].filter((id) => id !== itemId)));
    },
    [find, setChosen],
  );
  return {
    ready,
    selected,
    groups,
    readPublishableIds,
    any: chosen.size > 0,
    some: selected.length + groups.length > 0,
    has: (itemId: string): boolean => chosen.has(itemId),
    toggle,
    all: () =>
      void read().then(
        ({ itemIds }) => setChosen(new Set(itemIds)),
        () => undefined,
      ),
    clear: () => setChosen(new Set()),
  };
};

type TickProps = { item: ItemSummary; chosen: boolean; some: boolean; toggle: ItemSelection['toggle'] };

/** The checkbox of a row; Shift selects a range. Visible on hover, on focus, and while anything is selected. */
export const SelectItemCheckbox = ({ item, chosen, some, toggle }: TickProps) => (
  <label className={styles.tick} data-seen={some || undefined}>
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
  count > maxAtOnce ? t('items.selectFirst', { count: maxAtOnce }) : t('items.selectAll', { count });

/** Returns the listing ids of the checked items, as many as one approval may contain. */
const useCheckedListingIds = (itemIds: readonly string[]): readonly string[] => {
  const { data: chosen } = useChosenItems(itemIds);
  return itemIds.length === 0 ? [] : (chosen?.ready ?? []).map(({ listingId }) => listingId);
};

/** Requests one approval to publish the selected items, or else the checked items. */
const PublishSelectionBar = ({ selection }: { selection: ItemSelection }) => {
  const publish = useRequestPublishTogether();
  const isChosen = selection.selected.length > 0;
  const checked = useCheckedListingIds(selection.ready.checked);
  const ids = isChosen ? selection.selected.map(({ listingId }) => listingId) : checked;
  const reading = useRef(false);
  const requestPublishApproval = async (): Promise<void> => {
    if (publish.busy || reading.current) return;
    reading.current = true;
    const listingIds = await selection.readPublishableIds().catch(() => ids);
    reading.current = false;
    // The selection stays: published items leave it, and a withdrawn approval leaves it unchanged.
    publish.ask(listingIds);
  };
  useScreenKeys({ p: () => void requestPublishApproval() });
  if (ids.length === 0) return null;
  return (
    <>
      <div className={styles.chosen}>
        <span aria-live="polite">{t(isChosen ? 'items.selected' : 'items.checkedCount', { count: ids.length })}</span>
        {isChosen && (
          <Button size="compact-sm" variant="quiet" onClick={selection.clear}>
            {t('items.clear')}
          </Button>
        )}
        <ActButton
          act="selection"
          about={t(isChosen ? 'items.selected' : 'items.checkedCount', { count: ids.length })}
          variant="ink"
          size="compact-md"
          aria-keyshortcuts="P"
          loading={publish.busy}
          disabled={ids.length > maxAtOnce}
          onClick={() => void requestPublishApproval()}
        >
          {t('items.publishMany', { count: ids.length })}
        </ActButton>
      </div>
      {ids.length > maxAtOnce && <ProblemLine>{t('items.atMost', { count: maxAtOnce })}</ProblemLine>}
      {publish.error && <ProblemLine>{readErrorSentence(publish.error)}</ProblemLine>}
    </>
  );
};

/** Above the list: selects all ready items, counts the selected or checked ones, and publishes them. */
export const SelectBar = ({ selection }: { selection: ItemSelection }) => {
  const { ready, selected } = selection;
  if (!selection.any && ready.total < 2 && ready.checked.length === 0) return null;
  const isLeft = ready.total > maxAtOnce || ready.itemIds.some((itemId) => !selection.has(itemId));
  const more = isLeft && selected.length < maxAtOnce;
  return (
    <div className={styles.bar}>
      {more && ready.total > 1 && (
        <button type="button" className={styles.all} aria-keyshortcuts="Control+A" onClick={selection.all}>
          {formatSelectAllLabel(ready.total)}
        </button>
      )}
      {(selection.any || ready.checked.length > 0) && <PublishSelectionBar selection={selection} />}
    </div>
  );
};
