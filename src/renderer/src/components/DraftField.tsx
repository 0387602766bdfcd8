import { IconAlertTriangle } from '@tabler/icons-react';
import { type ReactNode, useEffect, useState } from 'react';
import styles from './field.module.css';
import { sentenceOf } from '../api/call.ts';
import { t } from '../i18n.ts';

type Props = {
  id: string;
  label: string;
  /** Beside the label: a count, a suggestion. */
  hint?: ReactNode;
  /** That it is saved, or will be. */
  note?: string | null;
  problems?: readonly string[];
  children: ReactNode;
};

/** A field of the review: its label, what stands beside it, and the sentences about it below. */
export const FieldFrame = ({ id, label, hint, note = null, problems = [], children }: Props) => (
  <div className={styles.field}>
    <div className={styles.head}>
      <label htmlFor={id}>{label}</label>
      <span className={styles.saved} aria-live="polite">
        {note}
      </span>
      <span className={styles.hint}>{hint}</span>
    </div>
    {children}
    <div id={`${id}-problems`} aria-live="polite">
      {problems.map((problem) => (
        <p key={problem} className={styles.problem}>
          <IconAlertTriangle size={15} aria-hidden />
          {problem}
        </p>
      ))}
    </div>
  </div>
);

type State = {
  base: string;
  text: string;
  status: 'still' | 'saving' | 'held' | 'saved' | 'refused';
  problem: string | null;
  /** What becomes of a text that is held. */
  note: string | null;
};

type Options = {
  /** What the service has. */
  saved: string;
  /** Sends what was typed; a throw is a refusal. `onHeld` hears that it has to wait, and in words until when. */
  save: (text: string, onHeld: (words: string) => void) => Promise<void>;
  /** Why it cannot be sent at all, or null. */
  check?: (text: string) => string | null;
  /** How the field writes what it has read. */
  tidy?: (text: string) => string;
};

const savedForMs = 2_500;

const asTyped = (text: string): string => text;

/**
 * A field that keeps what is typed until the service has it. It follows changes from elsewhere while untouched, and a
 * refused text stays in the field with its sentence.
 */
export const useDraftField = ({ saved, save, check, tidy = asTyped }: Options) => {
  const [state, setState] = useState<State>({ base: saved, text: saved, status: 'still', problem: null, note: null });
  if (saved !== state.base) {
    const untouched = state.text === state.base && ['still', 'saved'].includes(state.status);
    setState({ ...state, base: saved, text: untouched ? saved : state.text });
  }
  useEffect(() => {
    if (state.status !== 'saved') return;
    const timer = setTimeout(() => setState((now) => ({ ...now, status: 'still' })), savedForMs);
    return () => clearTimeout(timer);
  }, [state.status]);

  const send = async (typed: string): Promise<void> => {
    const text = tidy(typed);
    if (state.status === 'saving') return;
    // Nothing to send: what waits goes on waiting, and only a refusal of something else is over.
    if (text === state.base)
      return setState((now) => ({
        ...now,
        text,
        problem: null,
        status: now.status === 'refused' ? 'still' : now.status,
      }));
    const problem = check?.(text) ?? null;
    if (problem !== null) return setState((now) => ({ ...now, status: 'refused', problem }));
    setState((now) => ({ ...now, text, status: 'saving', problem: null }));
    try {
      await save(text, (note) => setState((now) => ({ ...now, status: 'held', note })));
      // What was typed since is not what was saved.
      setState((now) => ({ ...now, status: now.text === text ? 'saved' : now.status, note: null }));
    } catch (error) {
      setState((now) => ({ ...now, status: 'refused', problem: sentenceOf(error), note: null }));
    }
  };
  return {
    text: state.text,
    /** Where what was typed stands: saved, or held until something else is over. Null when there is nothing to say. */
    note: state.status === 'saved' ? t('parts.saved') : state.status === 'held' ? state.note : null,
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
