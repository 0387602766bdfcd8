import { useId, type ReactNode } from 'react';
import { takeInFiles } from '../../api/intake/takeIn.ts';
import { useTakeIn } from '../../api/intake/useTakeIn.ts';
import styles from './pick.module.css';

const photoTypes = 'image/*,.heic,.heif,.hif,.avif,.tif,.tiff';

type Props = { name: string; folders?: boolean; first?: boolean; size?: 'small' | 'large'; icon: ReactNode };

/** A file field that looks like a button: it takes the focus, opens the system's dialog, and hands over what was chosen. */
export const PickFiles = ({ name, folders = false, first = false, size, icon }: Props) => {
  const id = useId();
  const { mutate } = useTakeIn();
  return (
    <span className={styles.pick} data-first={first || undefined} data-size={size}>
      <input
        id={id}
        type="file"
        multiple
        {...(folders ? { webkitdirectory: '' } : { accept: photoTypes })}
        onChange={(event) => {
          const field = event.currentTarget;
          const files = [...(field.files ?? [])];
          field.value = '';
          if (files.length > 0) mutate(() => takeInFiles(files));
        }}
      />
      <label htmlFor={id}>
        {icon}
        {name}
      </label>
    </span>
  );
};
