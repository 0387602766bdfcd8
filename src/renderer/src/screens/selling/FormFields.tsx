import { NativeSelect, Textarea, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { t } from '../../i18n/t.ts';
import type { Field, Values } from './fields.ts';
import styles from './selling.module.css';

type FieldsProps = {
  fields: readonly Field[];
  values: Values;
  changed: readonly Field[];
  /** What is wrong, by path. */
  problems: Readonly<Record<string, string>>;
  onChange: (path: string, text: string) => void;
};

const yesNo = () => [
  { value: '', label: t('selling.form.none') },
  { value: 'yes', label: t('selling.form.yes') },
  { value: 'no', label: t('selling.form.no') },
];

/** What was chosen elsewhere and is not among the choices is one all the same. */
const choicesOf = ({ kind, choices = [] }: Field, value: string) => {
  const all = kind === 'yesNo' ? yesNo() : choices;
  return all.some((one) => one.value === value) ? all : [...all, { value, label: value }];
};

const Label = ({ field, changed }: { field: Field; changed: boolean }): ReactNode => (
  <>
    {field.label}
    {changed && <span className={styles.changed}>{t('selling.form.changed')}</span>}
  </>
);

const order: ('label' | 'input' | 'description' | 'error')[] = ['label', 'input', 'description', 'error'];
const inputModes = { whole: 'numeric', cents: 'decimal', text: 'text', code: 'text' } as const;

const FormField = ({ field, values, changed, problems, onChange }: Omit<FieldsProps, 'fields'> & { field: Field }) => {
  const { path, kind, help } = field;
  const value = values[path] ?? '';
  const shared = {
    label: <Label field={field} changed={changed.includes(field)} />,
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
        data={choicesOf(field, value)}
        onChange={(event) => onChange(path, event.currentTarget.value)}
      />
    );
  if (kind === 'long')
    return (
      <Textarea
        {...shared}
        className={styles.wide}
        autosize
        minRows={3}
        maxRows={10}
        onChange={(event) => onChange(path, event.currentTarget.value)}
      />
    );
  return (
    <TextInput
      {...shared}
      inputMode={inputModes[kind]}
      onChange={(event) => onChange(path, event.currentTarget.value)}
    />
  );
};

/** Fields that belong together, each with what is wrong with it, and marked where it was changed. */
export const FormFields = ({ fields, ...rest }: FieldsProps) => (
  <div className={styles.fields}>
    {fields.map((field) => (
      <FormField key={field.path} field={field} {...rest} />
    ))}
  </div>
);
