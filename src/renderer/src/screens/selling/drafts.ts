import { useSyncExternalStore } from 'react';
import { useAppState } from '../../api/queries.ts';
import type { Values } from './fields.ts';

/** What was typed into a form and is not saved; and the question that would save it, once it was asked. */
type Draft = { values: Values; approvalId: string | null };

/** The draft of a form, and how it is kept or, with null, forgotten. */
export type KeptDraft = { draft: Draft | null; keep: (next: Draft | null) => void };

const drafts = new Map<string, Draft>();
const listeners = new Set<() => void>();

const listen = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** The draft of a form, or null, and how it is kept; null forgets it. It outlives the form, not the window, and is of one account. */
export const useDraft = (name: string): KeptDraft => {
  const state = useAppState().data;
  const key = `${state?.service.url} ${state?.person?.email} ${name}`;
  const draft = useSyncExternalStore(listen, () => drafts.get(key) ?? null);
  const keep = (next: Draft | null): void => {
    if (next) drafts.set(key, next);
    else drafts.delete(key);
    listeners.forEach((listener) => listener());
  };
  return { draft, keep };
};
