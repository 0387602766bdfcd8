import { isUnknownRecord, type UnknownRecord } from '../../api/unknownRecord.ts';
import { centsToText, readBothAmounts, textToCents } from '../../components/text/format.ts';
import { useSyncExternalStore, useEffect, useEffectEvent } from 'react';
import { createStore, withMapEntry } from '../../api/createStore.ts';
import { useAppState, useApprovalById } from '../../api/queries.ts';
import { useQueryClient } from '@tanstack/react-query';
import { t } from '../../i18n.ts';

/** One field of a form over an open record. `path` has at most one dot. */
export type FormField = {
  path: string;
  kind: 'text' | 'code' | 'long' | 'whole' | 'cents' | 'yesNo' | 'choice';
  label: string;
  help?: string;
  choices?: { value: string; label: string }[];
  /** The bounds of a whole number. */
  from?: number;
  to?: number;
  must?: boolean;
};

/** The inputs as typed, by path. */
export type FormValues = Readonly<Record<string, string>>;

const splitFieldPath = (path: string): [top: string, inner: string | null] => {
  const [top = '', inner = null] = path.split('.');
  return [top, inner];
};

const readFieldValue = (record: UnknownRecord, path: string): unknown => {
  const [top, inner] = splitFieldPath(path);
  const value = record[top];
  return inner === null ? value : isUnknownRecord(value) ? value[inner] : undefined;
};

const toFieldText = (kind: FormField['kind'], value: unknown): string => {
  if (kind === 'cents') return typeof value === 'number' ? centsToText(value) : '';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
};

/** Returns the record as form inputs. */
export const toFormValues = (fields: readonly FormField[], record: UnknownRecord): FormValues =>
  Object.fromEntries(fields.map(({ path, kind }) => [path, toFieldText(kind, readFieldValue(record, path))]));

const parseFieldText = (kind: FormField['kind'], text: string): unknown => {
  const bare = text.trim();
  if (bare === '') return null;
  if (kind === 'whole') return Number(bare);
  if (kind === 'cents') return textToCents(bare);
  if (kind === 'yesNo') return bare === 'yes';
  if (kind === 'code') return bare.toUpperCase();
  return kind === 'long' ? text : bare;
};

/** Returns the fields whose input differs from the record. */
export const listChangedFields = (fields: readonly FormField[], before: FormValues, values: FormValues): FormField[] =>
  fields.filter(({ path }) => (values[path] ?? '').trim() !== (before[path] ?? '').trim());

/**
 * Returns the body that saves the changed fields; null clears a field. A nested record is sent whole, because the
 * service may not merge it.
 */
export const toRecordBody = (
  changed: readonly FormField[],
  record: UnknownRecord,
  values: FormValues,
): UnknownRecord => {
  const body: UnknownRecord = {};
  for (const { path, kind } of changed) {
    const [top, inner] = splitFieldPath(path);
    const value = parseFieldText(kind, values[path] ?? '');
    if (inner === null) body[top] = value;
    else {
      const sofar = top in body ? body[top] : record[top];
      const { [inner]: _before, ...rest } = isUnknownRecord(sofar) ? sofar : {};
      const next = value === null ? rest : { ...rest, [inner]: value };
      body[top] = Object.keys(next).length > 0 ? next : null;
    }
  }
  return body;
};

type FieldProblem = 'must' | 'whole' | 'amount' | 'zero' | 'choose';

type WrongFields = Record<string, { why: FieldProblem; field: FormField }>;

/** Returns the invalid fields; checked before anything is sent. */
export const findWrongFields = (fields: readonly FormField[], values: FormValues): WrongFields =>
  Object.fromEntries(
    fields.flatMap((field) => {
      const why = findFieldProblem(field, (values[field.path] ?? '').trim());
      return why === null ? [] : [[field.path, { why, field }]];
    }),
  );

const findAmountProblem = (text: string): FieldProblem | null => {
  if (readBothAmounts(text)) return 'choose';
  const cents = textToCents(text);
  return cents === null ? 'amount' : cents < 1 ? 'zero' : null;
};

const findFieldProblem = ({ kind, must, from = 0, to = 1_000_000 }: FormField, text: string): FieldProblem | null => {
  if (text === '') return must ? 'must' : null;
  if (kind === 'cents') return findAmountProblem(text);
  if (kind !== 'whole') return null;
  return /^\d{1,7}$/.test(text) && Number(text) >= from && Number(text) <= to ? null : 'whole';
};

/** The unsaved inputs of a form, and the approval that would save them, once requested. */
type FormDraft = { values: FormValues; approvalId: string | null };

/** The draft of a form and a function that stores it; null deletes it. */
type StoredDraft = { draft: FormDraft | null; keep: (next: FormDraft | null) => void };

const drafts = createStore<ReadonlyMap<string, FormDraft>>(new Map());

/** Returns the stored draft of a form. It survives the form but not the window, and belongs to one account. */
export const useFormDraft = (name: string): StoredDraft => {
  const state = useAppState().data;
  const key = `${state?.service.url} ${state?.person?.email} ${name}`;
  const draft = useSyncExternalStore(drafts.subscribe, () => drafts.get().get(key) ?? null);
  return { draft, keep: (next) => drafts.set(withMapEntry(drafts.get(), key, next)) };
};

const formatFieldProblems = (wrong: WrongFields): Record<string, string> =>
  Object.fromEntries(
    Object.entries(wrong).map(([path, { why, field }]) => [
      path,
      why === 'whole'
        ? t('selling.form.whole', { from: field.from ?? 0, to: field.to ?? 1_000_000 })
        : why === 'zero' || why === 'choose'
          ? t(`parts.money.${why}`)
          : t(`selling.form.${why}`),
    ]),
  );

/** Returns the state of the approval that saves the draft. Deletes a saved draft after the data is read again. */
const useDraftApproval = (
  { draft, keep }: StoredDraft,
  onSaved: () => void,
): { waits: boolean; refused: string | null } => {
  const client = useQueryClient();
  const { data: asked, isPlaceholderData } = useApprovalById(draft?.approvalId ?? null);
  const approval = isPlaceholderData || !draft?.approvalId ? null : (asked ?? null);
  const saved = useEffectEvent(async () => {
    await client.invalidateQueries({ queryKey: ['setup'] });
    keep(null);
    onSaved();
  });
  /** The approval was superseded and has a new id. */
  const replaced = useEffectEvent((approvalId: string) => draft && keep({ ...draft, approvalId }));
  const next = approval?.supersededBy ?? null;
  useEffect(() => {
    if (next !== null) replaced(next);
  }, [next]);
  const state = approval?.state;
  useEffect(() => {
    if (state === 'done') void saved();
  }, [state]);
  return {
    waits: state === 'pending' || state === 'approved' || state === 'sending',
    refused: state === 'failed' ? (approval?.outcome?.sentence ?? null) : null,
  };
};

/** The state of a form: its inputs and the state of the approval that saves it. */
export type RecordForm = {
  values: FormValues;
  changed: readonly FormField[];
  wrong: Readonly<Record<string, string>>;
  body: () => UnknownRecord;
  type: (path: string, text: string) => void;
  /** Remembers the approval that will save the draft. */
  asked: (approvalId: string) => void;
  forget: () => void;
  /** Whether the approval is pending or being sent. */
  waits: boolean;
  /** The service's sentence after a refusal; else null. */
  refused: string | null;
};

/**
 * A form over an open record. Inputs are kept as a draft that survives the form and is deleted once it is saved. Only
 * changed fields are sent.
 */
export const useRecordForm = (
  name: string,
  fields: readonly FormField[],
  record: UnknownRecord,
  onSaved: () => void,
): RecordForm => {
  const kept = useFormDraft(name);
  const { draft, keep } = kept;
  const question = useDraftApproval(kept, onSaved);
  const before = toFormValues(fields, record);
  const values: FormValues = { ...before, ...draft?.values };
  const changed = listChangedFields(fields, before, values);
  return {
    values,
    changed,
    wrong: formatFieldProblems(findWrongFields(fields, values)),
    body: () => toRecordBody(changed, record, values),
    type: (path: string, text: string) => keep({ values: { ...draft?.values, [path]: text }, approvalId: null }),
    asked: (approvalId: string) => keep({ values: draft?.values ?? {}, approvalId }),
    forget: () => keep(null),
    ...question,
  };
};
