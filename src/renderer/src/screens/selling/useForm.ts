import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import { useApproval } from '../../api/queries.ts';
import { t } from '../../i18n/t.ts';
import type { UnknownRecord } from '../../api/unknownRecord.ts';
import { useDraft, type KeptDraft } from './drafts.ts';
import { bodyOf, changedIn, valuesOf, wrongIn, type Field, type Values, type WrongFields } from './fields.ts';

const wrongWords = (wrong: WrongFields): Record<string, string> =>
  Object.fromEntries(
    Object.entries(wrong).map(([path, { why, field }]) => [
      path,
      why === 'whole'
        ? t('selling.form.whole', { from: field.from ?? 0, to: field.to ?? 1_000_000 })
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
export type Form = {
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
export const useForm = (name: string, fields: readonly Field[], record: UnknownRecord, onSaved: () => void): Form => {
  const kept = useDraft(name);
  const { draft, keep } = kept;
  const question = useQuestion(kept, onSaved);
  const before = valuesOf(fields, record);
  const values: Values = { ...before, ...draft?.values };
  const changed = changedIn(fields, before, values);
  return {
    values,
    changed,
    wrong: wrongWords(wrongIn(fields, values)),
    body: () => bodyOf(changed, record, values),
    type: (path: string, text: string) => keep({ values: { ...draft?.values, [path]: text }, approvalId: null }),
    asked: (approvalId: string) => keep({ values: draft?.values ?? {}, approvalId }),
    forget: () => keep(null),
    ...question,
  };
};
