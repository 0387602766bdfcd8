import { IconFolder, IconPhoto } from '@tabler/icons-react';
import { PickFiles } from './PickFiles.tsx';
import { SampleButton } from './SampleButton.tsx';
import { t } from '../../i18n/t.ts';
import styles from './items.module.css';

/** Where photos come in. The whole window takes a drop; here it says so, and the buttons do the same. */
export const DropHere = ({ large = false }: { large?: boolean }) => {
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
