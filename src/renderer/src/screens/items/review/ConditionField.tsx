import { NativeSelect } from '@mantine/core';
import { useId } from 'react';
import { useConditions } from '../../../api/queries.ts';
import { conditionWords } from '../../../parts/conditionWords.ts';
import { FieldFrame } from '../../../parts/FieldFrame.tsx';
import { useDraftField } from '../../../parts/useDraftField.ts';
import type { Listing } from '../../../api/types.ts';
import type { Save } from './useSaveListing.ts';
import { t } from '../../../i18n/t.ts';

type Props = { listing: Listing; save: Save; problems: readonly string[] | undefined; readOnly: boolean };

/** The conditions that the category accepts; the present one stays even when they cannot be read. */
const useChoices = (listing: Listing): { value: string; label: string }[] => {
  const conditions = useConditions(listing.categoryId ?? null, listing.marketplaceId ?? null).data?.conditions ?? [];
  const choices = conditions.map(({ condition, name }) => ({
    value: condition,
    label: name ?? conditionWords(condition),
  }));
  const present = listing.condition ?? '';
  if (choices.some((choice) => choice.value === present)) return choices;
  return [
    { value: present, label: present === '' ? t('review.chooseCondition') : conditionWords(present) },
    ...choices,
  ];
};

/** In what state the thing is; kept as soon as it is chosen. */
export const ConditionField = ({ listing, save, problems = [], readOnly }: Props) => {
  const id = useId();
  const choices = useChoices(listing);
  const field = useDraftField({
    saved: listing.condition ?? '',
    save: (condition, onHeld) => save({ condition }, onHeld),
  });
  const all = field.problem === null ? problems : [field.problem, ...problems];
  return (
    <FieldFrame id={id} label={t('review.condition')} note={field.note} problems={all}>
      <NativeSelect
        id={id}
        data={choices}
        value={field.text}
        disabled={readOnly}
        onChange={(event) => field.keep(event.currentTarget.value)}
        error={all.length > 0}
        aria-describedby={`${id}-problems`}
      />
    </FieldFrame>
  );
};
