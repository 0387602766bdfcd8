import { Button } from '@mantine/core';
import { useEffect, useRef, useState, type FormEvent, type ReactNode } from 'react';
import { t } from '../../i18n/t.ts';
import { ProblemLine } from '../../components/ProblemLine.tsx';
import { UntrustedText } from '../../components/text/UntrustedText.tsx';
import type { Field } from './fields.ts';
import { FormFields } from './FormFields.tsx';
import type { Form as FormState } from './useForm.ts';
import styles from './selling.module.css';

/** Fields under a heading; null for none. */
export type Group = { title: string | null; fields: readonly Field[] };

type Props = {
  name: string;
  form: FormState;
  groups: readonly Group[];
  /** What else is wrong, by path; said at once. */
  found?: Readonly<Record<string, string>>;
  /** What is wrong with several fields together, or null; said when the person wants to save. */
  wrongTogether?: { path: string; words: string } | null;
  save: string;
  /** The first field has the focus when the form opens. */
  focusFirst?: boolean;
  busy: boolean;
  onSave: () => void;
  /** More to press beside the save. */
  children?: ReactNode;
};

type FootProps = Pick<Props, 'form' | 'save' | 'busy' | 'children'> & { onUndone: () => void };

const Foot = ({ form, save, busy, onUndone, children }: FootProps) => (
  <div className={styles.foot}>
    <div className={styles.line}>
      <Button type="submit" variant="ink" loading={busy} disabled={form.changed.length === 0}>
        {save}
      </Button>
      {children}
      {form.changed.length > 0 && (
        <Button
          variant="quiet"
          onClick={() => {
            form.forget();
            onUndone();
          }}
        >
          {t('selling.form.undo')}
        </Button>
      )}
    </div>
    <p className={styles.soft} role="status">
      {form.waits
        ? t('selling.form.waits')
        : form.changed.length > 0 && t('selling.form.changes', { count: form.changed.length })}
    </p>
    {form.refused !== null && (
      <ProblemLine>
        <UntrustedText text={form.refused} />
      </ProblemLine>
    )}
  </div>
);

/** A form in groups. What is wrong is said at the fields once the person wants to save; the first of them gets the focus. */
export const Form = ({
  name,
  form,
  groups,
  found = {},
  wrongTogether = null,
  save,
  busy,
  onSave,
  focusFirst = false,
  children,
}: Props) => {
  const [tried, setTried] = useState(false);
  const frame = useRef<HTMLFormElement>(null);
  const toFirst = (): void => frame.current?.querySelector<HTMLElement>('input, select')?.focus();
  useEffect(() => {
    if (focusFirst) toFirst();
  }, [focusFirst]);
  const wrong = { ...(wrongTogether ? { [wrongTogether.path]: wrongTogether.words } : {}), ...form.wrong };
  const onSubmit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const first = groups.flatMap(({ fields }) => fields).find(({ path }) => path in wrong);
    setTried(first !== undefined);
    if (!first) return onSave();
    event.currentTarget.querySelector<HTMLElement>(`[data-path="${first.path}"]`)?.focus();
  };
  return (
    <form ref={frame} className={styles.form} onSubmit={onSubmit} aria-label={name} noValidate>
      {groups.map(({ title, fields }) => (
        <fieldset key={fields[0]?.path} className={styles.group}>
          {title !== null && <legend>{title}</legend>}
          <FormFields
            fields={fields}
            values={form.values}
            changed={form.changed}
            problems={tried ? { ...found, ...wrong } : found}
            onChange={form.type}
          />
        </fieldset>
      ))}
      <Foot form={form} save={save} busy={busy} onUndone={toFirst}>
        {children}
      </Foot>
    </form>
  );
};
