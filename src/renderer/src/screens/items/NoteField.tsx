import { Textarea } from '@mantine/core';
import { useId } from 'react';
import { call } from '../../api/call.ts';
import type { ItemView } from '../../api/types.ts';
import { FieldFrame } from '../../parts/FieldFrame.tsx';
import { onCtrlEnter, useDraftField } from '../../parts/useDraftField.ts';
import { t } from '../../i18n/t.ts';

/** The person's own words, which the writing takes in. */
export const NoteField = ({ item }: { item: ItemView }) => {
  const id = useId();
  const field = useDraftField({
    saved: item.note,
    save: async (note) => void (await call('items.note', { itemId: item.itemId, note })),
  });
  return (
    <FieldFrame
      id={id}
      label={t('items.note')}
      note={field.note}
      problems={field.problem === null ? [] : [field.problem]}
    >
      <Textarea
        id={id}
        autosize
        minRows={3}
        maxRows={10}
        placeholder={t('items.noteHint')}
        value={field.text}
        onChange={(event) => field.type(event.currentTarget.value)}
        onBlur={() => void field.commit()}
        onKeyDown={onCtrlEnter(field.commit)}
        aria-describedby={`${id}-problems`}
      />
    </FieldFrame>
  );
};
