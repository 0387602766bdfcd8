import { TextInput } from '@mantine/core';
import { useId, type ReactNode } from 'react';
import { FieldFrame } from '../../../parts/FieldFrame.tsx';
import { onCtrlEnter, useDraftField } from '../../../parts/useDraftField.ts';
import type { OnHeld } from './useSaveListing.ts';

type Props = {
  label: string;
  saved: string;
  save: (text: string, onHeld: OnHeld) => Promise<void>;
  check?: (text: string) => string | null;
  hint?: (text: string) => ReactNode;
  below?: ReactNode;
  problems?: readonly string[] | undefined;
  readOnly: boolean;
  numeric?: boolean;
  left?: ReactNode;
};

/** One line of the listing. It is kept when the field is left, or on Ctrl-Enter. */
export const TextField = ({
  label,
  saved,
  save,
  check,
  hint,
  below,
  problems = [],
  readOnly,
  numeric,
  left,
}: Props) => {
  const id = useId();
  const field = useDraftField({ saved, save, ...(check && { check }) });
  const all = field.problem === null ? problems : [field.problem, ...problems];
  return (
    <FieldFrame id={id} label={label} hint={hint?.(field.text)} note={field.note} problems={all}>
      <TextInput
        id={id}
        value={field.text}
        onChange={(event) => field.type(event.currentTarget.value)}
        onBlur={() => void field.commit()}
        onKeyDown={onCtrlEnter(field.commit)}
        readOnly={readOnly}
        error={all.length > 0}
        aria-describedby={`${id}-problems`}
        leftSection={left}
        leftSectionWidth={left ? 56 : undefined}
        {...(numeric && { inputMode: 'decimal' as const, styles: { input: { fontVariantNumeric: 'tabular-nums' } } })}
      />
      {below}
    </FieldFrame>
  );
};
