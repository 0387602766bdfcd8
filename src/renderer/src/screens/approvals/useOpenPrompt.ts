import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { questionsKey, type Questions } from '../../api/queries.ts';
import type { ApprovalView } from '../../api/types.ts';
import { batchWaits } from './questions.ts';
import { isWaiting } from './stateWords.ts';
import type { OnClosed, OpenPrompt } from './usePrompts.ts';

const outside = (query: URLSearchParams): OpenPrompt | null => {
  const approvalId = query.get('approval');
  const batchId = query.get('batch');
  if (approvalId !== null) return { kind: 'one', id: approvalId };
  return batchId === null ? null : { kind: 'batch', id: batchId };
};

/** What was chosen outside the window, in the tray or a notification: "?approval=…", or "#/approvals?batch=…". */
const chosenOutside = (): OpenPrompt | null =>
  outside(new URLSearchParams(window.location.search)) ??
  outside(new URLSearchParams(window.location.hash.split('?')[1] ?? ''));

/** Whether it is still asked: then nothing may take its place. */
const isAsked = (client: QueryClient, { kind, id }: OpenPrompt): boolean => {
  const questions = client.getQueryData<Questions>(questionsKey);
  if (kind === 'batch') return questions?.batches.some((one) => one.batchId === id && batchWaits(one)) ?? false;
  const one =
    client.getQueryData<ApprovalView>(['approvals', 'one', id]) ??
    questions?.approvals.find(({ approvalId }) => approvalId === id);
  return one !== undefined && isWaiting(one);
};

/** A place that the host named while the window was open; the screens know places without a query. */
const usePlaces = (openIt: (next: OpenPrompt) => void): void => {
  useEffect(() => {
    const look = (): void => {
      const [place, query] = window.location.hash.split('?');
      if (query === undefined) return;
      const chosen = outside(new URLSearchParams(query));
      window.location.replace(place ?? '#/');
      if (chosen) openIt(chosen);
    };
    look();
    window.addEventListener('hashchange', look);
    return () => window.removeEventListener('hashchange', look);
  }, [openIt]);
};

/** The one prompt in front of the person. One that is asked is never replaced: what is opened meanwhile comes after it. */
export const useOpenPrompt = () => {
  const client = useQueryClient();
  const [open, setOpen] = useState<OpenPrompt | null>(chosenOutside);
  const now = useRef(open);
  const next = useRef<OpenPrompt[]>([]);
  const change = useCallback((to: OpenPrompt | null): void => {
    now.current = to;
    setOpen(to);
  }, []);
  const openIt = useCallback(
    (wanted: OpenPrompt): void => {
      const other = now.current !== null && now.current.id !== wanted.id;
      if (other && now.current && isAsked(client, now.current)) next.current.push(wanted);
      else change(wanted);
    },
    [client, change],
  );
  /** The prompt itself leads on: to what replaced it, or to the next question. */
  const follow = useCallback((to: OpenPrompt): void => change({ ...to, onClosed: now.current?.onClosed }), [change]);
  /** Closes what is open; with an id, only that. */
  const close = useCallback(
    (id?: string): void => {
      const closed = now.current;
      // An answer that comes late closes nothing but its own prompt.
      if (id !== undefined && closed?.id !== id) return;
      change(next.current.shift() ?? null);
      if (closed) closed.onClosed?.(closed.id);
    },
    [change],
  );
  usePlaces(openIt);
  return {
    open,
    follow,
    close,
    show: useCallback((id: string, onClosed?: OnClosed) => openIt({ kind: 'one', id, onClosed }), [openIt]),
    showBatch: useCallback((id: string) => openIt({ kind: 'batch', id }), [openIt]),
  };
};
