import { TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useRef } from 'react';
import { useKeys } from '../../components/useKeys.ts';
import { t } from '../../i18n/t.ts';
import styles from './items.module.css';

type FindFieldProps = { value: string; onChange: (value: string) => void; found: number };

/** Narrows the list; Ctrl-K or ⌘K goes to it. */
export const FindField = ({ value, onChange, found }: FindFieldProps) => {
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
