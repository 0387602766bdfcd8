import { ActionIcon, TextInput } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useId, type KeyboardEvent } from 'react';
import { ProblemLine } from '../../../parts/ProblemLine.tsx';
import { UntrustedText } from '../../../parts/UntrustedText.tsx';
import { plainly } from '../../../parts/untrustedText.ts';
import { onCtrlEnter } from '../../../parts/useDraftField.ts';
import type { Row, ShownRow } from './specifics.ts';
import { t } from '../../../i18n/t.ts';
import styles from './review.module.css';

type Props = {
  row: ShownRow;
  problem: string | undefined;
  readOnly: boolean;
  onType: (row: Row) => void;
  onKeep: () => Promise<void>;
  onRemove: () => void;
};

const Required = ({ row, id }: { row: ShownRow; id: string }) => (
  <label htmlFor={id} className={styles.required}>
    <UntrustedText text={row.name} fold={80} /> <small>{t('review.required')}</small>
  </label>
);

/** One specific: its name and its value. The name of a required one stands fast. */
export const SpecificRow = ({ row, problem, readOnly, onType, onKeep, onRemove }: Props) => {
  const id = useId();
  const name = plainly(row.name) || t('review.newSpecific');
  const both = {
    readOnly,
    onBlur: () => void onKeep(),
    onKeyDown: onCtrlEnter(onKeep) satisfies (e: KeyboardEvent) => void,
  };
  return (
    <li>
      <div className={styles.specific}>
        {row.required ? (
          <Required row={row} id={id} />
        ) : (
          <TextInput
            {...both}
            aria-label={t('review.nameOf', { name })}
            value={row.name}
            onChange={(event) => onType({ ...row, name: event.currentTarget.value })}
          />
        )}
        <TextInput
          {...both}
          id={id}
          aria-label={row.required ? undefined : t('review.valueOf', { name })}
          aria-required={row.required || undefined}
          aria-describedby={problem ? `${id}-problem` : undefined}
          error={problem !== undefined}
          placeholder={row.required && !readOnly ? t('review.needed') : undefined}
          value={row.value}
          autoFocus={row.key >= 1_000 && row.name !== ''}
          onChange={(event) => onType({ ...row, value: event.currentTarget.value })}
        />
        {!readOnly && !row.required && (
          <ActionIcon aria-label={t('review.removeOne', { name })} onClick={onRemove}>
            <IconX size={16} aria-hidden />
          </ActionIcon>
        )}
      </div>
      {problem && <ProblemLine id={`${id}-problem`}>{problem}</ProblemLine>}
    </li>
  );
};
