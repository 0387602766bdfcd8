import { useEffect, useState } from 'react';
import { sentenceOf } from '../api/callError.ts';

type State = { base: string; text: string; status: 'still' | 'saving' | 'saved' | 'refused'; problem: string | null };

type Options = {
  /** What the service has. */
  saved: string;
  /** Sends what was typed; a throw is a refusal. */
  save: (text: string) => Promise<void>;
  /** Why it cannot be sent at all, or null. */
  check?: (text: string) => string | null;
};

const savedForMs = 2_500;

/**
 * A field that keeps what is typed until the service has it. It follows changes from elsewhere while untouched, and a
 * refused text stays in the field with its sentence.
 */
export const useDraftField = ({ saved, save, check }: Options) => {
  const [state, setState] = useState<State>({ base: saved, text: saved, status: 'still', problem: null });
  if (saved !== state.base) {
    const untouched = state.text === state.base && state.status !== 'saving' && state.status !== 'refused';
    setState({ ...state, base: saved, text: untouched ? saved : state.text });
  }
  useEffect(() => {
    if (state.status !== 'saved') return;
    const timer = setTimeout(() => setState((now) => ({ ...now, status: 'still' })), savedForMs);
    return () => clearTimeout(timer);
  }, [state.status]);

  const send = async (text: string): Promise<void> => {
    if (text === state.base || state.status === 'saving') return;
    const problem = check?.(text) ?? null;
    if (problem !== null) return setState((now) => ({ ...now, status: 'refused', problem }));
    setState((now) => ({ ...now, text, status: 'saving', problem: null }));
    try {
      await save(text);
      setState((now) => ({ ...now, status: 'saved' }));
    } catch (error) {
      setState((now) => ({ ...now, status: 'refused', problem: sentenceOf(error) }));
    }
  };
  return {
    text: state.text,
    isSaved: state.status === 'saved',
    problem: state.problem,
    type: (text: string) => setState((now) => ({ ...now, text, status: 'still', problem: null })),
    /** Keeps what is in the field. */
    commit: () => send(state.text),
    /** Takes a value that was chosen and keeps it at once. */
    keep: (text: string) => void send(text),
  };
};

/** Ctrl-Enter or ⌘-Enter keeps what was typed without leaving the field. */
export const onCtrlEnter =
  (commit: () => Promise<void>) =>
  (event: React.KeyboardEvent): void => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    void commit();
  };
