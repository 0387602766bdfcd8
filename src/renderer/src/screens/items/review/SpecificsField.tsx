import { ActionIcon, Button, TextInput } from '@mantine/core';
import { IconPlus, IconX } from '@tabler/icons-react';
import { ProblemLine } from '../../../parts/ProblemLine.tsx';
import { plainly } from '../../../parts/said.ts';
import type { Listing } from '../../../api/types.ts';
import type { Row } from './specifics.ts';
import { useSpecifics } from './useSpecifics.ts';
import type { Save } from './useSaveListing.ts';
import { t } from '../../../i18n/t.ts';
import styles from './review.module.css';

type Props = { listing: Listing; save: Save; problems: readonly string[] | undefined; readOnly: boolean };

type RowProps = {
  row: Row;
  readOnly: boolean;
  onType: (row: Row) => void;
  onKeep: () => void;
  onRemove: () => void;
};

const SpecificRow = ({ row, readOnly, onType, onKeep, onRemove }: RowProps) => {
  const name = plainly(row.name) || t('review.newSpecific');
  return (
    <li className={styles.specific}>
      <TextInput
        aria-label={t('review.nameOf', { name })}
        value={row.name}
        readOnly={readOnly}
        onChange={(event) => onType({ ...row, name: event.currentTarget.value })}
        onBlur={onKeep}
      />
      <TextInput
        aria-label={t('review.valueOf', { name })}
        value={row.value}
        readOnly={readOnly}
        onChange={(event) => onType({ ...row, value: event.currentTarget.value })}
        onBlur={onKeep}
      />
      {!readOnly && (
        <ActionIcon aria-label={t('review.removeOne', { name })} onClick={onRemove}>
          <IconX size={16} aria-hidden />
        </ActionIcon>
      )}
    </li>
  );
};

/** What the marketplace asks about the thing, as names and values. */
export const SpecificsField = ({ listing, save, problems = [], readOnly }: Props) => {
  const specifics = useSpecifics(listing.itemSpecifics ?? {}, (itemSpecifics) => save({ itemSpecifics }));
  const all = specifics.problem === null ? problems : [specifics.problem, ...problems];
  return (
    <section aria-label={t('review.specifics')}>
      <div className={styles.line}>
        <h3>{t('review.specifics')}</h3>
        <span className={styles.soft} aria-live="polite">
          {specifics.isSaved && t('parts.saved')}
        </span>
        {!readOnly && (
          <Button
            size="compact-sm"
            variant="quiet"
            leftSection={<IconPlus size={14} aria-hidden />}
            onClick={specifics.add}
          >
            {t('review.add')}
          </Button>
        )}
      </div>
      {all.map((problem) => (
        <ProblemLine key={problem}>{problem}</ProblemLine>
      ))}
      <ul className={styles.specifics}>
        {specifics.rows.map((row) => (
          <SpecificRow
            key={row.key}
            row={row}
            readOnly={readOnly}
            onType={specifics.type}
            onKeep={() => void specifics.keep()}
            onRemove={() => void specifics.remove(row.key)}
          />
        ))}
      </ul>
    </section>
  );
};
