import { Textarea } from '@mantine/core';
import { FieldFrame } from '../../../parts/FieldFrame.tsx';
import { onCtrlEnter, useDraftField } from '../../../parts/useDraftField.ts';
import { checkTitle } from './checks.ts';
import type { Save } from './useSaveListing.ts';
import { t } from '../../../i18n/t.ts';
import styles from './review.module.css';

/** The service's usual limit; a site with another refuses with its own sentence. */
const longest = 80;

type Props = { id: string; saved: string; save: Save; problems: readonly string[] | undefined; readOnly: boolean };

const Count = ({ length }: { length: number }) => (
  <span className={length > longest ? styles.over : undefined}>
    {length}/{longest}
  </span>
);

/** The title, whole, however long: one line of text that wraps. */
export const TitleField = ({ id, saved, save, problems = [], readOnly }: Props) => {
  const field = useDraftField({ saved, save: (title, onHeld) => save({ title }, onHeld), check: checkTitle });
  const all = field.problem === null ? problems : [field.problem, ...problems];
  const keep = onCtrlEnter(field.commit);
  return (
    <FieldFrame
      id={id}
      label={t('review.title')}
      hint={<Count length={[...field.text].length} />}
      note={field.note}
      problems={all}
    >
      <Textarea
        id={id}
        autosize
        minRows={1}
        value={field.text}
        onChange={(event) => field.type(event.currentTarget.value.replace(/\s*\n\s*/g, ' '))}
        onBlur={() => void field.commit()}
        onKeyDown={(event) => {
          keep(event);
          if (event.key === 'Enter') event.preventDefault();
        }}
        readOnly={readOnly}
        error={all.length > 0}
        aria-describedby={`${id}-problems`}
      />
    </FieldFrame>
  );
};
