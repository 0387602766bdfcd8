import { TextInput, Button } from '@mantine/core';
import { IconSearch, IconFolder, IconPhoto } from '@tabler/icons-react';
import { memo, useCallback, useMemo, useRef, useState } from 'react';
import { useKeys } from '../../components/Keys.tsx';
import { t } from '../../i18n.ts';
import styles from './items.module.css';
import { useAddPhotos } from '../../api/addPhotos.ts';
import { useIntakes } from '../../api/intakes.ts';
import { PickFiles } from './PickFiles.tsx';
import { call } from '../../api/call.ts';
import { keepFolded, useItemCounts, useShownItems, type ShownItems } from '../../api/itemQueries.ts';
import { BeginNextWith } from './BeginWith.tsx';
import { useAppState, useSaveSettings } from '../../api/queries.ts';
import { Link } from 'wouter';
import { IntakeRows, ItemList, type Fold } from './ItemList.tsx';
import { lazyComponent } from '../../components/lazyComponent.tsx';
import { remainingText } from './NextSteps.tsx';
import { ArrangeBar, sheetId } from './arrange/ArrangeBar.tsx';
import { SelectBar, useSelection } from './SelectBar.tsx';
import { useItemKeys, type ScrollTo } from './useItemKeys.ts';

type FindFieldProps = { value: string; onChange: (value: string) => void; found: number };

/** Filters the list. Slash focuses the field; Esc clears it, then leaves it. */
const FindField = ({ value, onChange, found }: FindFieldProps) => {
  const field = useRef<HTMLInputElement>(null);
  useKeys({ '/': () => field.current?.focus() });
  return (
    <div className={styles.find}>
      <TextInput
        ref={field}
        aria-label={t('items.find')}
        placeholder={t('items.findShort')}
        leftSection={<IconSearch size={16} aria-hidden />}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return;
          if (value === '') field.current?.blur();
          else onChange('');
        }}
      />
      <span className="unseen" aria-live="polite">
        {value === '' ? '' : t('items.found', { count: found })}
      </span>
    </div>
  );
};

/** Adds sample photos that ship with the companion. */
const SampleButton = ({ quiet }: { quiet: boolean }) => {
  const { mutate, isPending } = useAddPhotos();
  return (
    <Button
      variant={quiet ? 'quiet' : 'default'}
      loading={isPending}
      onClick={() => mutate(() => call('items.addSamples', {}))}
      size={quiet ? 'compact-xs' : 'sm'}
      h={quiet ? undefined : 40}
    >
      {t('items.samples')}
    </Button>
  );
};

/** The remaining listings as last reported by the service, with a link to the account once none remain. */
const Allowance = () => {
  const { data: state } = useAppState();
  // Keep the line free: the service reports the allowance a moment later.
  if (!state?.allowance) return <p className={styles.left}>{'\u00A0'}</p>;
  const { remaining, credits } = state.allowance;
  return (
    <p className={styles.left}>
      {remainingText(state.allowance)}{' '}
      {remaining + credits <= 0 && <Link href="/account">{t('items.moreListings')}</Link>}
    </p>
  );
};

/** The setting that defers every drop until the person has checked its photos. */
const CheckFirst = () => {
  const { data: state } = useAppState();
  const { mutate, isPending } = useSaveSettings();
  if (!state) return null;
  return (
    <label className={styles.tick}>
      <input
        type="checkbox"
        checked={state.settings.holdDrops}
        disabled={isPending}
        onChange={(event) => mutate({ holdDrops: event.currentTarget.checked })}
      />
      {t('items.checkFirst')}
    </label>
  );
};

/** Adds photos by buttons; the whole window accepts drops. Memoised: the list re-renders often during an import. */
const DropZone = memo(({ large = false }: { large?: boolean }) => {
  const size = large ? 'large' : 'small';
  return (
    <section className={styles.drop} aria-label={t('items.dropHere')} data-large={large || undefined}>
      <p>{large ? t('items.dropLarge') : t('items.dropSmall')}</p>
      <div className={styles.dropButtons}>
        <PickFiles
          name={t('items.chooseFolders')}
          folders
          first={large}
          size={size}
          icon={<IconFolder size={16} aria-hidden />}
        />
        <PickFiles name={t('items.choosePhotos')} size={size} icon={<IconPhoto size={16} aria-hidden />} />
        <SampleButton quiet={!large} />
      </div>
      <BeginNextWith large={large} />
      <CheckFirst />
      <Allowance />
    </section>
  );
});

const FirstItems = () => (
  <div className={styles.firstItems}>
    <h1>{t('items.firstTitle')}</h1>
    <p>{t('items.firstText')}</p>
    <DropZone large />
  </div>
);

/** The open item, in its own chunk because it is not needed at start. */
const ItemPane = lazyComponent(async () => (await import('./ItemPane.tsx')).ItemPane);

const findFrom = 6;

const NothingOpen = () => (
  <div className={styles.nothingOpen}>
    <p>{t('items.choose')}</p>
    <p>{t('items.chooseKeys')}</p>
  </div>
);

/** The fold state of the live section; referentially stable until it changes. */
const useFold = (shown: ShownItems | null): Fold | null => {
  const drawAgain = useState({})[1];
  const isFoldable = shown?.find === '';
  const folded = shown?.folded ?? false;
  const turn = useCallback((): void => {
    keepFolded(!folded);
    drawAgain({});
  }, [folded, drawAgain]);
  return useMemo(() => (isFoldable ? { folded, turn } : null), [isFoldable, folded, turn]);
};

const ItemsAndOne = ({ openId }: { openId: string | null }) => {
  const counts = useItemCounts();
  const intakes = useIntakes();
  const [find, setFind] = useState('');
  const scrollTo = useRef<ScrollTo>(null);
  const shown = useShownItems(find);
  const selection = useSelection(find);
  const fold = useFold(shown);
  const toNext = useItemKeys({ shown, find, openId, selection, scrollTo });
  if (!counts || !shown) return null;
  if (counts.all === 0 && intakes.length === 0) return <FirstItems />;
  return (
    <div className={styles.screen} data-open={openId !== null || undefined}>
      <section className={styles.side} aria-label={t('items.all')}>
        <h1 className="unseen">{t('items.title')}</h1>
        <DropZone />
        {counts.all >= findFrom && <FindField value={find} onChange={setFind} found={shown.total} />}
        <ArrangeBar guessed={counts.guessed} selection={selection} />
        <SelectBar selection={selection} />
        <IntakeRows intakes={intakes} />
        <ItemList items={shown} openId={openId} selection={selection} fold={fold} scrollTo={scrollTo} />
      </section>
      {openId === null ? <NothingOpen /> : <ItemPane key={openId} itemId={openId} toNext={toNext} />}
    </div>
  );
};

const ContactSheet = lazyComponent(async () => (await import('./sheet/ContactSheet.tsx')).ContactSheet);

/** The items, or the contact sheet for items that were grouped automatically. */
export const ItemsScreen = ({ openId }: { openId: string | null }) =>
  openId === sheetId ? <ContactSheet /> : <ItemsAndOne openId={openId} />;
