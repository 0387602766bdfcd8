import { NativeSelect, TextInput, Button } from '@mantine/core';
import { GrowingTextarea } from '../../components/fields/GrowingTextarea.tsx';
import { type ReactNode, useEffect, useRef, useState, type FormEvent } from 'react';
import { t } from '../../i18n.ts';
import type { FormField, FormValues, RecordForm as FormState } from './useRecordForm.ts';
import { MoneyInputField } from '../../components/fields/MoneyInput.tsx';
import styles from './selling.module.css';
import { ProblemLine } from '../../components/ScreenPage.tsx';
import { UntrustedText } from '../../components/text/UntrustedText.tsx';

type FormFieldsProps = {
  fields: readonly FormField[];
  values: FormValues;
  changed: readonly FormField[];
  problems: Readonly<Record<string, string>>;
  onChange: (path: string, text: string) => void;
};

const listYesNoChoices = () => [
  { value: '', label: t('selling.form.none') },
  { value: 'yes', label: t('selling.form.yes') },
  { value: 'no', label: t('selling.form.no') },
];

const listFieldChoices = ({ kind, choices = [] }: FormField, value: string) => {
  const all = kind === 'yesNo' ? listYesNoChoices() : choices;
  return all.some((choice) => choice.value === value) ? all : [...all, { value, label: value }];
};

const FormFieldLabel = ({ field, changed }: { field: FormField; changed: boolean }): ReactNode => (
  <>
    {field.label}
    {changed && <span className={styles.changed}>{t('selling.form.changed')}</span>}
  </>
);

const order: ('label' | 'input' | 'description' | 'error')[] = ['label', 'input', 'description', 'error'];
const inputModes = { whole: 'numeric', weight: 'text', text: 'text', code: 'text' } as const;

const RecordFormField = ({
  field,
  values,
  changed,
  problems,
  onChange,
}: Omit<FormFieldsProps, 'fields'> & { field: FormField }) => {
  const { path, kind, help } = field;
  const value = values[path] ?? '';
  const shared = {
    label: <FormFieldLabel field={field} changed={changed.includes(field)} />,
    description: help,
    error: problems[path] ?? null,
    value,
    'data-path': path,
    inputWrapperOrder: order,
  };
  if (kind === 'choice' || kind === 'yesNo')
    return (
      <NativeSelect
        {...shared}
        data={listFieldChoices(field, value)}
        onChange={(event) => onChange(path, event.currentTarget.value)}
      />
    );
  if (kind === 'long')
    return (
      <GrowingTextarea
        {...shared}
        className={styles.wide}
        minRows={3}
        maxRows={10}
        onChange={(event) => onChange(path, event.currentTarget.value)}
      />
    );
  if (kind === 'cents') return <MoneyInputField {...shared} onChange={(text) => onChange(path, text)} />;
  return (
    <TextInput
      {...shared}
      inputMode={inputModes[kind]}
      onChange={(event) => onChange(path, event.currentTarget.value)}
    />
  );
};

const RecordFormFields = ({ fields, ...rest }: FormFieldsProps) => (
  <div className={styles.fields}>
    {fields.map((field) => (
      <RecordFormField key={field.path} field={field} {...rest} />
    ))}
  </div>
);

export type FieldGroup = { title: string | null; fields: readonly FormField[] };

type RecordFormProps = {
  name: string;
  form: FormState;
  groups: readonly FieldGroup[];
  /** Additional problems by field path. They are shown immediately. */
  found?: Readonly<Record<string, string>>;
  /** A problem of several fields together, shown when the person saves. */
  wrongTogether?: { path: string; words: string } | null;
  save: string;
  focusFirst?: boolean;
  busy: boolean;
  onSave: () => void;
  children?: ReactNode;
};

type FormFooterProps = Pick<RecordFormProps, 'form' | 'save' | 'busy' | 'children'> & { onUndone: () => void };

const RecordFormFooter = ({ form, save, busy, onUndone, children }: FormFooterProps) => (
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

export const RecordFormView = ({
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
}: RecordFormProps) => {
  const [tried, setTried] = useState(false);
  const frame = useRef<HTMLFormElement>(null);
  const focusFirstField = (): void => frame.current?.querySelector<HTMLElement>('input, select')?.focus();
  useEffect(() => {
    if (focusFirst) focusFirstField();
  }, [focusFirst]);
  const wrong = { ...(wrongTogether ? { [wrongTogether.path]: wrongTogether.words } : {}), ...form.wrong };
  const submitRecordForm = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const first = groups.flatMap(({ fields }) => fields).find(({ path }) => path in wrong);
    setTried(first !== undefined);
    if (!first) return onSave();
    event.currentTarget.querySelector<HTMLElement>(`[data-path="${first.path}"]`)?.focus();
  };
  return (
    <form ref={frame} className={styles.form} onSubmit={submitRecordForm} aria-label={name} noValidate>
      {groups.map(({ title, fields }) => (
        <fieldset key={fields[0]?.path} className={styles.group}>
          {title !== null && <legend>{title}</legend>}
          <RecordFormFields
            fields={fields}
            values={form.values}
            changed={form.changed}
            problems={tried ? { ...found, ...wrong } : found}
            onChange={form.type}
          />
        </fieldset>
      ))}
      <RecordFormFooter form={form} save={save} busy={busy} onUndone={focusFirstField}>
        {children}
      </RecordFormFooter>
    </form>
  );
};
