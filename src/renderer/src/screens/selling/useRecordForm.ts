import { isUnknownRecord, type UnknownRecord } from '../../api/unknownRecord.ts';
import { formatCentsInput, parseAmbiguousAmounts, parseCentsInput } from '../../components/text/format.ts';
import { useSyncExternalStore, useEffect, useEffectEvent } from 'react';
import { type WeightUnits } from '../../../../i18n/weights.ts';
import { formatWeight, parseWeight } from '../../components/text/packedWeight.ts';
import { createStore, withMapEntry } from '../../api/createStore.ts';
import { useAppState, useApprovalById } from '../../api/queries.ts';
import { useQueryClient } from '@tanstack/react-query';
import { t, translateMessage } from '../../i18n.ts';

/** `path` has at most one dot. */
export type FormField = {
  path: string;
  kind: 'text' | 'code' | 'long' | 'whole' | 'cents' | 'weight' | 'yesNo' | 'choice';
  label: string;
  help?: string;
  choices?: { value: string; label: string }[];
  from?: number;
  to?: number;
  must?: boolean;
  /** The units of a weight, whose value is in grams. */
  units?: WeightUnits;
};

/** The inputs by path, as the person typed them. */
export type FormValues = Readonly<Record<string, string>>;

const splitFieldPath = (path: string): [top: string, inner: string | null] => {
  const [top = '', inner = null] = path.split('.');
  return [top, inner];
};

const getFieldValue = (record: UnknownRecord, path: string): unknown => {
  const [top, inner] = splitFieldPath(path);
  const value = record[top];
  return inner === null ? value : isUnknownRecord(value) ? value[inner] : undefined;
};

const toFieldText = ({ kind, units = 'metric' }: FormField, value: unknown): string => {
  if (kind === 'weight' && typeof value === 'number') return formatWeight(value, units);
  if (kind === 'cents') return typeof value === 'number' ? formatCentsInput(value) : '';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
};

export const toFormValues = (fields: readonly FormField[], record: UnknownRecord): FormValues =>
  Object.fromEntries(fields.map((field) => [field.path, toFieldText(field, getFieldValue(record, field.path))]));

const parseFieldText = ({ kind, units = 'metric' }: FormField, text: string): unknown => {
  const bare = text.trim();
  if (bare === '') return null;
  if (kind === 'whole') return Number(bare);
  if (kind === 'cents') return parseCentsInput(bare);
  if (kind === 'weight') return parseWeight(bare, units);
  if (kind === 'yesNo') return bare === 'yes';
  if (kind === 'code') return bare.toUpperCase();
  return kind === 'long' ? text : bare;
};

export const listChangedFields = (fields: readonly FormField[], before: FormValues, values: FormValues): FormField[] =>
  fields.filter(({ path }) => (values[path] ?? '').trim() !== (before[path] ?? '').trim());

/** Null clears a field. A nested record is sent whole, because the service might not merge it. */
export const createRecordBody = (
  changed: readonly FormField[],
  record: UnknownRecord,
  values: FormValues,
): UnknownRecord => {
  const body: UnknownRecord = {};
  for (const field of changed) {
    const [top, inner] = splitFieldPath(field.path);
    const value = parseFieldText(field, values[field.path] ?? '');
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

type FieldProblem = 'must' | 'whole' | 'amount' | 'weight' | 'zero' | 'choose';

type InvalidFields = Record<string, { why: FieldProblem; field: FormField }>;

export const collectInvalidFields = (fields: readonly FormField[], values: FormValues): InvalidFields =>
  Object.fromEntries(
    fields.flatMap((field) => {
      const why = findFieldProblem(field, (values[field.path] ?? '').trim());
      return why === null ? [] : [[field.path, { why, field }]];
    }),
  );

const findAmountProblem = (text: string): FieldProblem | null => {
  if (parseAmbiguousAmounts(text)) return 'choose';
  const cents = parseCentsInput(text);
  return cents === null ? 'amount' : cents < 1 ? 'zero' : null;
};

const findFieldProblem = (field: FormField, text: string): FieldProblem | null => {
  const { kind, must, from = 0, to = 1_000_000, units = 'metric' } = field;
  if (text === '') return must ? 'must' : null;
  if (kind === 'weight') return parseWeight(text, units) === null ? 'weight' : null;
  if (kind === 'cents') return findAmountProblem(text);
  if (kind !== 'whole') return null;
  return /^\d{1,7}$/.test(text) && Number(text) >= from && Number(text) <= to ? null : 'whole';
};

/** `approvalId` is the approval that saves the draft; null until it is requested. */
type FormDraft = { values: FormValues; approvalId: string | null };

/** `keep` stores the draft; null deletes it. */
type StoredDraft = { draft: FormDraft | null; keep: (next: FormDraft | null) => void };

const drafts = createStore<ReadonlyMap<string, FormDraft>>(new Map());

/** The draft stays when the form closes, but not when the window closes. It belongs to one account. */
export const useFormDraft = (name: string): StoredDraft => {
  const state = useAppState().data;
  const key = `${state?.service.url} ${state?.person?.email} ${name}`;
  const draft = useSyncExternalStore(drafts.subscribe, () => drafts.get().get(key) ?? null);
  return { draft, keep: (next) => drafts.set(withMapEntry(drafts.get(), key, next)) };
};

const formatFieldProblem = ({ why, field: { from = 0, to = 1_000_000 } }: InvalidFields[string]): string => {
  if (why === 'whole') return t('selling.form.whole', { from, to });
  if (why === 'weight') return t('review.check.packedWeight');
  return why === 'zero' || why === 'choose' ? t(`parts.money.${why}`) : t(`selling.form.${why}`);
};

const formatFieldProblems = (wrong: InvalidFields): Record<string, string> =>
  Object.fromEntries(Object.entries(wrong).map(([path, problem]) => [path, formatFieldProblem(problem)]));

/** Deletes a saved draft after the data is read again. */
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
  /** Stores the id of the approval that supersedes the stored approval. */
  const replaced = useEffectEvent((approvalId: string) => draft && keep({ ...draft, approvalId }));
  const next = approval?.supersededBy ?? null;
  useEffect(() => {
    if (next !== null) replaced(next);
  }, [next]);
  const state = approval?.state;
  const outcome = state === 'failed' ? approval?.outcome : null;
  useEffect(() => {
    if (state === 'done') void saved();
  }, [state]);
  return {
    waits: state === 'pending' || state === 'approved' || state === 'sending',
    refused: outcome ? translateMessage(outcome.says, outcome.sentence) : null,
  };
};

export type RecordForm = {
  values: FormValues;
  changed: readonly FormField[];
  wrong: Readonly<Record<string, string>>;
  body: () => UnknownRecord;
  type: (path: string, text: string) => void;
  asked: (approvalId: string) => void;
  forget: () => void;
  waits: boolean;
  /** The service's sentence if it refused the request, else null. */
  refused: string | null;
};

/** Keeps the inputs as a draft until they are saved. Sends only the changed fields. */
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
    wrong: formatFieldProblems(collectInvalidFields(fields, values)),
    body: () => createRecordBody(changed, record, values),
    type: (path: string, text: string) => keep({ values: { ...draft?.values, [path]: text }, approvalId: null }),
    asked: (approvalId: string) => keep({ values: draft?.values ?? {}, approvalId }),
    forget: () => keep(null),
    ...question,
  };
};
