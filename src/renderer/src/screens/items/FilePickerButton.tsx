import { useId, type ReactNode } from 'react';
import { addChosenPhotos, useAddPhotos } from '../../api/addPhotos.ts';
import styles from './pick.module.css';

const photoTypes = 'image/*,.heic,.heif,.hif,.avif,.tif,.tiff';

type FileFieldProps = {
  name: string;
  /** What the button shows, if it has no space for the name. */
  shortName?: string;
  folders?: boolean;
  first?: boolean;
  small?: boolean;
  icon?: ReactNode;
  disabled?: boolean | undefined;
  /** Accepts one file only. */
  single?: boolean;
  onFiles: (files: File[]) => void;
};

/** A file field that looks like a button. */
export const FileFieldButton = ({
  name,
  shortName = name,
  folders = false,
  first = false,
  small = false,
  icon,
  disabled,
  single = false,
  onFiles,
}: FileFieldProps) => {
  const id = useId();
  return (
    <span className={styles.pick} data-first={first || undefined} data-small={small || undefined}>
      <input
        id={id}
        type="file"
        aria-label={name}
        multiple={!single}
        disabled={disabled}
        {...(folders ? { webkitdirectory: '' } : { accept: photoTypes })}
        onChange={(event) => {
          const field = event.currentTarget;
          const files = [...(field.files ?? [])];
          field.value = '';
          if (files.length > 0) onFiles(files);
        }}
      />
      <label htmlFor={id}>
        {icon}
        {shortName}
      </label>
    </span>
  );
};

type Props = Omit<FileFieldProps, 'single' | 'onFiles'> & {
  /** The item or listing that receives the photos. If it is missing, the photos become new items. */
  into?: Parameters<typeof addChosenPhotos>[1];
  onAdded?: (itemId: string) => void;
};

export const FilePickerButton = ({ into, onAdded, disabled, ...look }: Props) => {
  const { mutate, isPending } = useAddPhotos();
  return (
    <FileFieldButton
      {...look}
      disabled={disabled === true || (into !== undefined && isPending)}
      onFiles={(files) =>
        mutate(() => addChosenPhotos(files, into), {
          onSuccess: ({ itemIds: [itemId] }) => itemId !== undefined && onAdded?.(itemId),
        })
      }
    />
  );
};
