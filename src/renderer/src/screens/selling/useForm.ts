import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import { useApproval } from '../../api/queries.ts';
import { t } from '../../i18n/t.ts';
import type { UnknownRecord } from '../../api/unknownRecord.ts';
import { useDraft } from './drafts.ts';
import { bodyOf, changedIn, valuesOf, wrongIn, type Field, type Values } from './fields.ts';

const wrongWords = (wrong: ReturnType<typeof wrongIn>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(wrong).map(([path, { why, field }]) => [
      path,
      why === 'whole'
        ? t('selling.form.whole', { from: field.from ?? 0, to: field.to ?? 1_000_000 })
        : t(`selling.form.${why}`),
    ]),
  );

type Kept = ReturnType<typeof useDraft>;

/** How the question stands that would save the draft. A draft that was saved is forgotten once that was read again. */
const useQuestion = ({ draft, keep }: Kept, onSaved: () => void): { waits: boolean; refused: string | null } => {
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

/**
 * A form over a record whose shape is open. What is typed is a draft that outlives the form; it is forgotten once the
 * person's yes has saved it. Only what was changed is sent.
 */
export const useForm = (name: string, fields: readonly Field[], record: UnknownRecord, onSaved: () => void) => {
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

export type Form = ReturnType<typeof useForm>;
