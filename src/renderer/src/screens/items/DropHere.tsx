import { IconFolder, IconPhoto } from '@tabler/icons-react';
import { PickFiles } from './PickFiles.tsx';
import { SampleButton } from './SampleButton.tsx';
import styles from './items.module.css';

/** Where photos come in. The whole window takes a drop; here it says so, and the buttons do the same. */
export const DropHere = ({ large = false }: { large?: boolean }) => {
  const size = large ? 'large' : 'small';
  return (
    <section className={styles.drop} aria-label="Drop photos here" data-large={large || undefined}>
      <p>{large ? 'Drop folders or photos anywhere in this window.' : 'Drop folders or photos anywhere, or'}</p>
      <div className={styles.dropButtons}>
        <PickFiles
          name="Choose folders"
          folders
          first={large}
          size={size}
          icon={<IconFolder size={16} aria-hidden />}
        />
        <PickFiles name="Choose photos" size={size} icon={<IconPhoto size={16} aria-hidden />} />
        <SampleButton quiet={!large} />
      </div>
    </section>
  );
};
