import { useId, type ReactNode } from 'react';
import { addChosenPhotos, useAddPhotos } from '../../api/addPhotos.ts';
import pickStyles from './pick.module.css';
import { Button } from '@mantine/core';
import { call } from '../../api/call.ts';
import { t } from '../../i18n/t.ts';
import { IconFolder, IconPhoto } from '@tabler/icons-react';
import styles from './items.module.css';

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
export const DropZone = ({ large = false }: { large?: boolean }) => {
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
export const FirstItems = () => (
  <div className={styles.firstItems}>
    <h1>{t('items.firstTitle')}</h1>
    <p>{t('items.firstText')}</p>
    <DropZone large />
  </div>
);
