import { TextInput, Button } from '@mantine/core';
import { IconSearch, IconFolder, IconPhoto } from '@tabler/icons-react';
import { useRef, useId, type ReactNode, useState } from 'react';
import { useKeys } from '../../components/Keys.tsx';
import { t } from '../../i18n.ts';
import styles from './items.module.css';
import { addChosenPhotos, useAddPhotos, useIntakes } from '../../api/addPhotos.ts';
import pickStyles from './pick.module.css';
import { call } from '../../api/call.ts';
import { useItemCounts, useShownItems } from '../../api/itemQueries.ts';
import { IntakeRows, ItemList } from './ItemList.tsx';
import { ItemPane } from './ItemPane.tsx';
import { ArrangeBar } from './arrange/ArrangeBar.tsx';
import { SelectBar, useSelection } from './SelectBar.tsx';
import { useItemKeys, type ScrollTo } from './useItemKeys.ts';

type FindFieldProps = { value: string; onChange: (value: string) => void; found: number };

/** Narrows the list; Ctrl-K or ⌘K goes to it. */
const FindField = ({ value, onChange, found }: FindFieldProps) => {
  const field = useRef<HTMLInputElement>(null);
  useKeys({ 'mod+k': () => field.current?.focus() });
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
          if (event.key === 'Escape') onChange('');
        }}
      />
      <span className={styles.unseen} aria-live="polite">
        {value === '' ? '' : t('items.found', { count: found })}
      </span>
    </div>
  );
};

const photoTypes = 'image/*,.heic,.heif,.hif,.avif,.tif,.tiff';

type DropZoneProps = { name: string; folders?: boolean; first?: boolean; size?: 'small' | 'large'; icon: ReactNode };

/** A file field that looks like a button: it takes the focus, opens the system's dialog, and hands over what was chosen. */
const PickFiles = ({ name, folders = false, first = false, size, icon }: DropZoneProps) => {
  const id = useId();
  const { mutate } = useAddPhotos();
  return (
    <span className={pickStyles.pick} data-first={first || undefined} data-size={size}>
      <input
        id={id}
        type="file"
        multiple
        {...(folders ? { webkitdirectory: '' } : { accept: photoTypes })}
        onChange={(event) => {
          const field = event.currentTarget;
          const files = [...(field.files ?? [])];
          field.value = '';
          if (files.length > 0) mutate(() => addChosenPhotos(files));
        }}
      />
      <label htmlFor={id}>
        {icon}
        {name}
      </label>
    </span>
  );
};

/** Brings in photos that come with the companion, to see how it works. */
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

/** Where photos come in. The whole window takes a drop; here it says so, and the buttons do the same. */
const DropZone = ({ large = false }: { large?: boolean }) => {
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
    </section>
  );
};

/** The empty list: what will be here, and the first step. */
const FirstItems = () => (
  <div className={styles.firstItems}>
    <h1>{t('items.firstTitle')}</h1>
    <p>{t('items.firstText')}</p>
    <DropZone large />
  </div>
);

const findFrom = 6;

const NothingOpen = () => (
  <div className={styles.nothingOpen}>
    <p>{t('items.choose')}</p>
    <p>{t('items.chooseKeys')}</p>
  </div>
);

/** The items, and beside them the one that is open. */
export const ItemsScreen = ({ openId }: { openId: string | null }) => {
  const counts = useItemCounts();
  const intakes = useIntakes();
  const [find, setFind] = useState('');
  const scrollTo = useRef<ScrollTo>(null);
  const shown = useShownItems(find);
  const selection = useSelection(find);
  const toNext = useItemKeys({ shown, find, openId, clear: selection.some ? selection.clear : null, scrollTo });
  if (!counts || !shown) return null;
  if (counts.all === 0 && intakes.length === 0) return <FirstItems />;
  return (
    <div className={styles.screen} data-open={openId !== null || undefined}>
      <section className={styles.side} aria-label={t('items.all')}>
        <h1 className={styles.unseen}>{t('items.title')}</h1>
        <DropZone />
        {counts.all >= findFrom && <FindField value={find} onChange={setFind} found={shown.total} />}
        <ArrangeBar guessed={counts.guessed} selection={selection} />
        <SelectBar selection={selection} />
        <IntakeRows intakes={intakes} />
        <ItemList items={shown} openId={openId} selection={selection} scrollTo={scrollTo} />
      </section>
      {openId === null ? <NothingOpen /> : <ItemPane key={openId} itemId={openId} onNext={toNext} />}
    </div>
  );
};
