import { isUnknownRecord, type UnknownRecord } from '../../api/unknownRecord.ts';
import { centsToText, eitherAmount, textToCents } from '../../components/text/format.ts';
import { useSyncExternalStore, useEffect, useEffectEvent } from 'react';
import { createStore, withEntry } from '../../api/createStore.ts';
import { useAppState, useApproval } from '../../api/queries.ts';
import { useQueryClient } from '@tanstack/react-query';
import { t } from '../../i18n.ts';

/** One field of a form over a record whose shape is open. `path` has at most one dot. */
export type Field = {
  path: string;
  kind: 'text' | 'code' | 'long' | 'whole' | 'cents' | 'yesNo' | 'choice';
  label: string;
  help?: string;
  choices?: { value: string; label: string }[];
  /** Bounds of a whole number. */
  from?: number;
  to?: number;
  must?: boolean;
};

/** What is in the fields, as it is typed, by path. */
export type Values = Readonly<Record<string, string>>;

const split = (path: string): [top: string, inner: string | null] => {
  const [top = '', inner = null] = path.split('.');
  return [top, inner];
};

const at = (record: UnknownRecord, path: string): unknown => {
  const [top, inner] = split(path);
  const value = record[top];
  return inner === null ? value : isUnknownRecord(value) ? value[inner] : undefined;
};

const asText = (kind: Field['kind'], value: unknown): string => {
  if (kind === 'cents') return typeof value === 'number' ? centsToText(value) : '';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
};

/** The record as its fields show it. */
export const valuesOf = (fields: readonly Field[], record: UnknownRecord): Values =>
  Object.fromEntries(fields.map(({ path, kind }) => [path, asText(kind, at(record, path))]));

const asValue = (kind: Field['kind'], text: string): unknown => {
  const bare = text.trim();
  if (bare === '') return null;
  if (kind === 'whole') return Number(bare);
  if (kind === 'cents') return textToCents(bare);
  if (kind === 'yesNo') return bare === 'yes';
  if (kind === 'code') return bare.toUpperCase();
  return kind === 'long' ? text : bare;
};

/** The fields whose text is another than that of the record. */
export const changedIn = (fields: readonly Field[], before: Values, values: Values): Field[] =>
  fields.filter(({ path }) => (values[path] ?? '').trim() !== (before[path] ?? '').trim());

/**
 * The body that saves the changed fields: null takes one away. Of a record inside, everything is sent, its unchanged and
 * unknown fields too, as it is not known whether the service puts them together.
 */
export const bodyOf = (changed: readonly Field[], record: UnknownRecord, values: Values): UnknownRecord => {
  const body: UnknownRecord = {};
  for (const { path, kind } of changed) {
    const [top, inner] = split(path);
    const value = asValue(kind, values[path] ?? '');
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

type Wrong = 'must' | 'whole' | 'amount' | 'zero' | 'choose';

/** What is wrong in which field, by its path. */
type WrongFields = Record<string, { why: Wrong; field: Field }>;

/** What is wrong with what was typed, before anybody is asked. */
export const wrongIn = (fields: readonly Field[], values: Values): WrongFields =>
  Object.fromEntries(
    fields.flatMap((field) => {
      const why = wrongWith(field, (values[field.path] ?? '').trim());
      return why === null ? [] : [[field.path, { why, field }]];
    }),
  );

const wrongAmount = (text: string): Wrong | null => {
  if (eitherAmount(text)) return 'choose';
  const cents = textToCents(text);
  return cents === null ? 'amount' : cents < 1 ? 'zero' : null;
};

const wrongWith = ({ kind, must, from = 0, to = 1_000_000 }: Field, text: string): Wrong | null => {
  if (text === '') return must ? 'must' : null;
  if (kind === 'cents') return wrongAmount(text);
  if (kind !== 'whole') return null;
  return /^\d{1,7}$/.test(text) && Number(text) >= from && Number(text) <= to ? null : 'whole';
};

/** What was typed into a form and is not saved; and the question that would save it, once it was asked. */
type Draft = { values: Values; approvalId: string | null };

/** The draft of a form, and how it is kept or, with null, forgotten. */
type KeptDraft = { draft: Draft | null; keep: (next: Draft | null) => void };

const drafts = createStore<ReadonlyMap<string, Draft>>(new Map());

/** The draft of a form, or null, and how it is kept; null forgets it. It outlives the form, not the window, and is of one account. */
export const useDraft = (name: string): KeptDraft => {
  const state = useAppState().data;
  const key = `${state?.service.url} ${state?.person?.email} ${name}`;
  const draft = useSyncExternalStore(drafts.subscribe, () => drafts.get().get(key) ?? null);
  return { draft, keep: (next) => drafts.set(withEntry(drafts.get(), key, next)) };
};

const problemTexts = (wrong: WrongFields): Record<string, string> =>
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

/** How the question stands that would save the draft. A draft that was saved is forgotten once that was read again. */
const useQuestion = ({ draft, keep }: KeptDraft, onSaved: () => void): { waits: boolean; refused: string | null } => {
  const client = useQueryClient();
  const { data: asked, isPlaceholderData } = useApproval(draft?.approvalId ?? null);
  const approval = isPlaceholderData || !draft?.approvalId ? null : (asked ?? null);
  const saved = useEffectEvent(async () => {
    await client.invalidateQueries({ queryKey: ['setup'] });
    keep(null);
    onSaved();
  });
  /** The question was drawn afresh and has another id. */
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

/** A form as it stands: what was typed, and how the question stands that saves it. */
export type RecordForm = {
  /** The texts of the fields, by path. */
  values: Values;
  /** The fields that differ from the record. */
  changed: readonly Field[];
  /** What is wrong in words, by path. */
  wrong: Readonly<Record<string, string>>;
  /** What is sent to save it. */
  body: () => UnknownRecord;
  type: (path: string, text: string) => void;
  /** The question that saves the draft was asked. */
  asked: (approvalId: string) => void;
  /** Drops the draft. */
  forget: () => void;
  /** Whether its question waits for the person or is being sent. */
  waits: boolean;
  /** The service's sentence where it refused; null otherwise. */
  refused: string | null;
};

/**
 * A form over a record whose shape is open. What is typed is a draft that outlives the form; it is forgotten once the
 * person's yes has saved it. Only what was changed is sent.
 */
export const useRecordForm = (
  name: string,
  fields: readonly Field[],
  record: UnknownRecord,
  onSaved: () => void,
): RecordForm => {
  const kept = useDraft(name);
  const { draft, keep } = kept;
  const question = useQuestion(kept, onSaved);
  const before = valuesOf(fields, record);
  const values: Values = { ...before, ...draft?.values };
  const changed = changedIn(fields, before, values);
  return {
    values,
    changed,
    wrong: problemTexts(wrongIn(fields, values)),
    body: () => bodyOf(changed, record, values),
    type: (path: string, text: string) => keep({ values: { ...draft?.values, [path]: text }, approvalId: null }),
    asked: (approvalId: string) => keep({ values: draft?.values ?? {}, approvalId }),
    forget: () => keep(null),
    ...question,
  };
};
