import { useId, type ReactNode } from 'react';
import { addChosenPhotos, useAddPhotos } from '../../api/addPhotos.ts';
import styles from './pick.module.css';

const photoTypes = 'image/*,.heic,.heif,.hif,.avif,.tif,.tiff';

type Props = {
  name: string;
  /** What the button shows, if it has no space for the name. */
  shortName?: string;
  folders?: boolean;
  first?: boolean;
  small?: boolean;
  icon?: ReactNode;
  disabled?: boolean;
  /** The item or listing that receives the photos. If it is missing, the photos become new items. */
  into?: Parameters<typeof addChosenPhotos>[1];
  onAdded?: (itemId: string) => void;
};

export const FilePickerButton = ({
  name,
  shortName = name,
  folders = false,
  first = false,
  small = false,
  icon,
  disabled,
  into,
  onAdded,
}: Props) => {
  const id = useId();
  const { mutate, isPending } = useAddPhotos();
  return (
    <span className={styles.pick} data-first={first || undefined} data-small={small || undefined}>
      <input
        id={id}
        type="file"
        aria-label={name}
        multiple
        disabled={disabled === true || (into !== undefined && isPending)}
        {...(folders ? { webkitdirectory: '' } : { accept: photoTypes })}
        onChange={(event) => {
          const field = event.currentTarget;
          const files = [...(field.files ?? [])];
          field.value = '';
          if (files.length === 0) return;
          mutate(() => addChosenPhotos(files, into), {
            onSuccess: ({ itemIds: [itemId] }) => itemId !== undefined && onAdded?.(itemId),
          });
        }}
      />
      <label htmlFor={id}>
        {icon}
        {shortName}
      </label>
    </span>
  );
};
