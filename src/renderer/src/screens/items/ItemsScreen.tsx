import { ActionIcon, Button, Popover, Splitter, TextInput } from '@mantine/core';
import { useLocalStorage, useMediaQuery } from '@mantine/hooks';
import { IconAdjustmentsHorizontal, IconFolder, IconPhoto, IconSearch } from '@tabler/icons-react';
import {
  memo,
  type RefObject,
  startTransition,
  useCallback,
  useDeferredValue,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { ScreenPage } from '../../components/ScreenPage.tsx';
import { HowItWorks } from '../../components/HowItWorks.tsx';
import { isEditingField, useScreenKeys } from '../../components/Keys.tsx';
import { clearOnEscape, useTypedText } from '../../components/fields/useTypedText.ts';
import { t } from '../../i18n.ts';
import styles from './items.module.css';
import { useAddPhotos } from '../../api/addPhotos.ts';
import { useIntakeRows } from '../../api/intakes.ts';
import { FilePickerButton } from './FilePickerButton.tsx';
import { callCore } from '../../api/call.ts';
import { saveFoldedSetting, useItemCounts, useShownItems, type ShownItems } from '../../api/itemQueries.ts';
import { NextTemplateSelect } from './TemplateSelect.tsx';
import { useAppState, useSaveSettings } from '../../api/queries.ts';
import { Link } from 'wouter';
import { selectedItems } from '../../api/itemSelection.ts';
import { IntakeRows } from './IntakeRows.tsx';
import { ItemList, type LiveSectionFold } from './ItemList.tsx';
import { createLazyComponent } from '../../components/createLazyComponent.tsx';
import { formatRemainingListings } from './NextSteps.tsx';
import { ArrangeBar, contactSheetId } from './arrange/ArrangeBar.tsx';
import { SelectAllLine, SelectBar, useItemSelection } from './SelectBar.tsx';
import { focusItemRow, useItemKeys, type ScrollToRow } from './useItemKeys.ts';

type FindFieldProps = { value: string; onChange: (value: string) => void; found: number };

const ItemFilterField = ({ value, onChange, found }: FindFieldProps) => {
  const field = useRef<HTMLInputElement>(null);
  const [text, setText] = useTypedText(value, onChange);
  useScreenKeys({ '/': () => field.current?.focus() });
  return (
    <div className={styles.find}>
      <TextInput
        ref={field}
        data-search
        aria-label={t('items.find')}
        placeholder={t('items.findShort')}
        leftSection={<IconSearch size={16} aria-hidden />}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={clearOnEscape(text, setText)}
      />
      <span className="unseen" aria-live="polite">
        {value === '' ? '' : t('items.found', { count: found })}
      </span>
    </div>
  );
};

const AddSamplesButton = () => {
  const { mutate, isPending } = useAddPhotos();
  return (
    <Button loading={isPending} onClick={() => mutate(() => callCore('items.addSamples', {}))}>
      {t('items.samples')}
    </Button>
  );
};

const RemainingAllowance = () => {
  const { data: state } = useAppState();
  const unwritten = useItemCounts()?.unwritten ?? 0;
  // The empty line reserves space, because the service reports the allowance a little later.
  if (!state?.allowance) return <p className={styles.left}>{'\u00A0'}</p>;
  const { remaining, credits } = state.allowance;
  return (
    <p className={styles.left}>
      {formatRemainingListings(state.allowance, unwritten)}
      {unwritten > 0 && ` · ${t('items.countedAhead', { count: unwritten })}`}{' '}
      {remaining + credits <= 0 && <Link href="/account">{t('items.moreListings')}</Link>}
    </p>
  );
};

const CheckPhotosFirstOption = () => {
  const { data: state } = useAppState();
  const { mutate, isPending } = useSaveSettings();
  if (!state) return null;
  return (
    <label className={styles.tick}>
      <input
        type="checkbox"
        checked={state.settings.deferDrops}
        disabled={isPending}
        onChange={(event) => mutate({ deferDrops: event.currentTarget.checked })}
      />
      {t('items.checkFirst')}
    </label>
  );
};

const PhotoPickers = ({ large }: { large: boolean }) => (
  <>
    <FilePickerButton
      name={t('items.chooseFolders')}
      folders
      {...(large
        ? { first: true, icon: <IconFolder size={16} aria-hidden /> }
        : { small: true, shortName: t('items.folders') })}
    />
    <FilePickerButton
      name={t('items.choosePhotos')}
      {...(large ? { icon: <IconPhoto size={16} aria-hidden /> } : { small: true, shortName: t('items.photos') })}
    />
  </>
);

const FirstDropZone = () => (
  <section className={styles.drop} aria-label={t('items.dropHere')}>
    <p>{t('items.dropLarge')}</p>
    <div className={styles.dropButtons}>
      <PhotoPickers large />
      <AddSamplesButton />
    </div>
    <NextTemplateSelect />
    <CheckPhotosFirstOption />
    <RemainingAllowance />
  </section>
);

/** What applies to the photos that the person adds next. */
const NextDropOptions = () => (
  <Popover position="bottom-end" withinPortal={false} trapFocus>
    <Popover.Target>
      <ActionIcon size={28} aria-label={t('items.nextDrop')}>
        <IconAdjustmentsHorizontal size={16} aria-hidden />
      </ActionIcon>
    </Popover.Target>
    <Popover.Dropdown className={styles.options}>
      <NextTemplateSelect />
      <CheckPhotosFirstOption />
    </Popover.Dropdown>
  </Popover>
);

/** Memoized because the list renders often during an import. */
const ListHead = memo(() => (
  <header className={styles.head}>
    <h1>{t('items.title')}</h1>
    <section className={styles.add} aria-label={t('items.dropHere')}>
      <div className={styles.pickers}>
        <PhotoPickers large={false} />
        <NextDropOptions />
      </div>
      <div className={styles.hint}>
        <p>{t('items.dropSmall')}</p>
        <RemainingAllowance />
      </div>
    </section>
  </header>
));

const EmptyItemList = () => (
  <ScreenPage title={t('items.title')}>
    <div className={styles.firstItems}>
      <h2>{t('items.firstTitle')}</h2>
      <p>{t('items.firstText')}</p>
      <HowItWorks />
      <FirstDropZone />
    </div>
  </ScreenPage>
);

/** Loaded separately, because the app does not need the pane at start. */
const ItemPane = createLazyComponent(async () => (await import('./ItemPane.tsx')).ItemPane);

const minItemsForFilter = 6;

/** A search shows its first item when the person has not typed for this time. */
const typingRestMs = 300;

const isInSearchField = (): boolean => document.activeElement?.matches('[data-search]') === true;

/** The fields beside the list belong to the shown item. */
const isEditingShownItem = (): boolean =>
  document.activeElement instanceof HTMLElement &&
  isEditingField(document.activeElement) &&
  document.activeElement.closest(`.${styles.itemPane}`) !== null;

const showFirst = (firstId: string | null): { firstId: string | null; keptFor: string | null } => ({
  firstId,
  keptFor: null,
});

type FirstItem = {
  firstId: string | null;
  /** Keeps the shown item until the search changes, because the person uses it. */
  keepItem: () => void;
};

/**
 * A wide window shows the first item beside the list until the person opens one. The item stays while it is listed. It
 * changes only while the person cannot act on it: during a search, while the search field has the focus.
 */
const useFirstItem = (shown: ShownItems | null, openId: string | null): FirstItem => {
  const hasSpace = useMediaQuery('(min-width: 961px)', undefined, { getInitialValueInEffect: false }) ?? false;
  /** `keptFor` is the search during which the person used the item. */
  const [{ firstId, keptFor }, setFirst] = useState(showFirst(null));
  const [lastOpenId, setLastOpenId] = useState(openId);
  if (openId !== lastOpenId) {
    setLastOpenId(openId);
    // The first item replaces an item that the person closes at once, and stays if it is the same.
    setFirst(showFirst(openId === null ? (shown?.row(0)?.itemId ?? null) : null));
  }
  const find = shown?.find ?? null;
  const isStillListed = firstId !== null && (find === keptFor || shown?.placeOf(firstId) !== null);
  const wanted = openId !== null || !hasSpace ? null : isStillListed ? firstId : (shown?.row(0)?.itemId ?? null);
  const keepItem = useCallback((): void => {
    // This also ends a change that is being rendered.
    if (find !== null && find !== '') setFirst({ firstId, keptFor: find });
  }, [find, firstId]);
  // The list is painted first. The item beside it renders in later frames, in parts.
  useEffect(() => {
    if (find === null || wanted === firstId) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const showItem = (): void => {
      if (find !== '' && wanted !== null && !isInSearchField()) keepItem();
      else if (isEditingShownItem()) timer = setTimeout(showItem, typingRestMs);
      else startTransition(() => setFirst(showFirst(wanted)));
    };
    const frame = requestAnimationFrame(() => (timer = setTimeout(showItem, find === '' ? 0 : typingRestMs)));
    return () => {
      cancelAnimationFrame(frame);
      clearTimeout(timer);
    };
  }, [find, wanted, firstId, keepItem]);
  return { firstId: openId === null && hasSpace ? firstId : null, keepItem };
};

/** Returns the same object until the fold state changes. */
const useLiveSectionFold = (shown: ShownItems | null): LiveSectionFold | null => {
  const forceRender = useState({})[1];
  const isFoldable = shown?.find === '';
  const folded = shown?.folded ?? false;
  const toggleFold = useCallback((): void => {
    saveFoldedSetting(!folded);
    forceRender({});
  }, [folded, forceRender]);
  return useMemo(() => (isFoldable ? { folded, toggleFold } : null), [isFoldable, folded, toggleFold]);
};

/** Returns a function that ends the search and focuses the first selected item. */
const useShowSelected = (
  shown: ShownItems | null,
  endSearch: () => void,
  scrollTo: RefObject<ScrollToRow | null>,
): (() => void) => {
  const isRequested = useRef(false);
  useEffect(() => {
    if (!isRequested.current || shown?.find !== '') return;
    isRequested.current = false;
    const rows = [...selectedItems.get()].flatMap((itemId) => ({ itemId, at: shown.placeOf(itemId) ?? Infinity }));
    const first = rows.toSorted((one, other) => one.at - other.at)[0];
    if (first && first.at < Infinity) focusItemRow(first, scrollTo.current);
  }, [shown, scrollTo]);
  return () => {
    isRequested.current = true;
    endSearch();
  };
};

/** In percent of the width of the screen. A wide window has space for more columns of the list. */
const defaultListShare = window.innerWidth >= 1800 ? 40 : 35;

const ItemListAndPane = ({ openId }: { openId: string | null }) => {
  const [listShare, setListShare] = useLocalStorage({
    key: 'itemListShare',
    defaultValue: defaultListShare,
    getInitialValueInEffect: false,
  });
  const counts = useItemCounts();
  const intakes = useIntakeRows();
  const [find, setFind] = useState('');
  const scrollTo = useRef<ScrollToRow>(null);
  const shown = useShownItems(find);
  const selection = useItemSelection(find);
  const fold = useLiveSectionFold(shown);
  const { firstId, keepItem } = useFirstItem(shown, openId);
  const showSelected = useShowSelected(shown, () => setFind(''), scrollTo);
  const toNext = useItemKeys({ shown, find, openId, firstId, selection, scrollTo });
  // The list appears first. The item beside it renders in parts, so that it blocks no frame.
  const isPaneDue = useDeferredValue(true, false);
  if (!counts || !shown) return null;
  if (counts.all === 0 && intakes.length === 0) return <EmptyItemList />;
  const paneId = openId ?? firstId;
  return (
    <Splitter
      className={styles.screen}
      data-open={openId !== null || undefined}
      sizes={[listShare, 100 - listShare]}
      onSizeChange={([share]) => setListShare(Number.parseFloat(String(share)))}
      lineSize={1}
      withHandle={false}
      attributes={{ handle: { 'aria-label': t('items.listWidth') } }}
    >
      <Splitter.Pane defaultSize={defaultListShare} min={20} max={60} className={styles.listPane}>
        <section className={styles.side} aria-label={t('items.all')}>
          <ListHead />
          {counts.all >= minItemsForFilter && <ItemFilterField value={find} onChange={setFind} found={shown.total} />}
          <ArrangeBar counts={counts} selecting={selection.any} />
          <SelectAllLine selection={selection} expected={counts.publishable} />
          <IntakeRows intakes={intakes} />
          <ItemList items={shown} openId={paneId} selection={selection} fold={fold} scrollTo={scrollTo} />
          <SelectBar selection={selection} onShow={showSelected} />
        </section>
      </Splitter.Pane>
      <Splitter.Pane
        defaultSize={100 - defaultListShare}
        className={styles.itemPane}
        onFocusCapture={keepItem}
        onPointerDownCapture={keepItem}
      >
        {isPaneDue && paneId !== null && <ItemPane key={paneId} itemId={paneId} toNext={toNext} />}
      </Splitter.Pane>
    </Splitter>
  );
};

const ContactSheet = createLazyComponent(async () => (await import('./sheet/ContactSheet.tsx')).ContactSheet);

export const ItemsScreen = ({ openId }: { openId: string | null }) =>
  openId === contactSheetId ? <ContactSheet /> : <ItemListAndPane openId={openId} />;
