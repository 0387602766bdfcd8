import { useMemo, useRef, useState } from 'react';
import type { CallAnswer } from '../../../../ipc/calls.ts';
import { call, type ItemSummary, sentenceOf } from '../../api/call.ts';
import { itemFilter, useChosenItems, useReadyItems } from '../../api/itemQueries.ts';
import { escapedText } from '../../components/text/UntrustedText.tsx';
import { t } from '../../i18n.ts';
import styles from './select.module.css';
import { Button } from '@mantine/core';
import { ProblemLine } from '../../components/Page.tsx';
import { useAskBatch } from '../approvals/batch/useBatches.ts';
import { useAskPublish } from './review/useAsk.ts';

/** One question takes no more than this. */
const mostAtOnce = 200;

/** Whether it can be chosen at all: to be published, or to be put together with others. */
export const isPickable = (item: ItemSummary): boolean =>
  (item.step === 'review' && item.listingId !== null && item.stop === null) || item.arrangeable;

/** The items that are chosen, and how to choose. */
export type Selection = {
  /** Those in the list that can be published: how many, and as many ids as one question takes. */
  ready: CallAnswer<'items.ready'>;
  /** The chosen ones that can be published. */
  selected: CallAnswer<'items.chosen'>['ready'];
  /** The chosen ones whose photos can still be arranged. */
  groups: CallAnswer<'items.chosen'>['arrangeable'];
  /** Whether anything is chosen. */
  some: boolean;
  has: (itemId: string) => boolean;
  /** Chooses an item or takes it out; with `range`, all from the last one to this. */
  toggle: (itemId: string, range: boolean) => void;
  /** Chooses all that can be published, up to what one question takes. */
  all: () => void;
  clear: () => void;
};

const none = { total: 0, itemIds: [] };

/** Which items are chosen, to be published together or to be put together. What is no longer ready is no longer chosen. */
export const useSelection = (find: string): Selection => {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const last = useRef<string | null>(null);
  const { ready = none, read } = useReadyItems(find);
  const now = useChosenItems(useMemo(() => [...chosen], [chosen]));
  const isChosen = ({ itemId }: { itemId: string }): boolean => chosen.has(itemId);
  const selected = (now?.ready ?? []).filter(isChosen);
  const groups = (now?.arrangeable ?? []).filter(isChosen);
  const add = (itemIds: readonly string[]): void => setChosen((before) => new Set([...before, ...itemIds]));
  const toggle = (itemId: string, range: boolean): void => {
    const from = last.current;
    last.current = itemId;
    if (range && from !== null)
      void call('items.between', { ...itemFilter(find), from, to: itemId }).then(add, () => add([itemId]));
    else if (range || !chosen.has(itemId)) add([itemId]);
    else setChosen(new Set([...chosen].filter((id) => id !== itemId)));
  };
  return {
    ready,
    selected,
    groups,
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

/** The tick of one item in the list; Shift takes all from the last one. Seen on hover, on focus, and once one is set. */
export const SelectTick = ({ item, selection }: { item: ItemSummary; selection: Selection }) => (
  <label className={styles.tick} data-seen={selection.some || undefined}>
    <input
      type="checkbox"
      aria-label={t('items.select', { name: escapedText(item.title ?? item.name) })}
      checked={selection.has(item.itemId)}
      onChange={(event) => {
        const { nativeEvent } = event;
        selection.toggle(item.itemId, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey);
      }}
    />
  </label>
);

const allLabel = (count: number): string =>
  count > mostAtOnce ? t('items.selectFirst', { count: mostAtOnce }) : t('items.selectAll', { count });

/** Publishes what is chosen: one question for all of it. */
const PublishChosen = ({ selection }: { selection: Selection }) => {
  const many = useAskBatch();
  const one = useAskPublish();
  const ids = selection.selected.map(({ listingId }) => listingId);
  const ask = (): void => {
    if (ids.length > 1) many.mutate({ publish: ids }, { onSuccess: selection.clear });
    else if (ids[0]) one.mutate(ids[0], { onSuccess: selection.clear });
  };
  const problem = many.error ?? one.error;
  return (
    <>
      <div className={styles.chosen}>
        <span aria-live="polite">{t('items.selected', { count: ids.length })}</span>
        <Button size="compact-sm" variant="quiet" onClick={selection.clear}>
          {t('items.clear')}
        </Button>
        <Button
          variant="ink"
          size="compact-md"
          loading={many.isPending || one.isPending}
          disabled={ids.length > mostAtOnce}
          onClick={ask}
        >
          {t('items.publishMany', { count: ids.length })}
        </Button>
      </div>
      {ids.length > mostAtOnce && <ProblemLine>{t('items.atMost', { count: mostAtOnce })}</ProblemLine>}
      {problem && <ProblemLine>{sentenceOf(problem)}</ProblemLine>}
    </>
  );
};

/** At the list's head: takes all that are ready, counts what is chosen, and publishes it. */
export const SelectBar = ({ selection }: { selection: Selection }) => {
  const { ready, selected } = selection;
  const some = selected.length > 0;
  if (!some && ready.total < 2) return null;
  const isLeft = ready.total > mostAtOnce || ready.itemIds.some((itemId) => !selection.has(itemId));
  const more = isLeft && selected.length < mostAtOnce;
  return (
    <div className={styles.bar}>
      {more && (
        <button type="button" className={styles.all} onClick={selection.all}>
          {allLabel(ready.total)}
        </button>
      )}
      {some && <PublishChosen selection={selection} />}
    </div>
  );
};
