import { IconAlertTriangle } from '@tabler/icons-react';
import { type ReactNode, useEffect, useState } from 'react';
import styles from './field.module.css';
import { getErrorSentence } from '../../api/call.ts';
import { t } from '../../i18n.ts';

type Props = {
  id: string;
  label: string;
  hint?: ReactNode;
  note?: string | null;
  problems?: readonly string[];
  children: ReactNode;
};

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

type DraftState = {
  base: string;
  text: string;
  status: 'still' | 'saving' | 'held' | 'saved' | 'refused';
  problem: string | null;
  /** Tells the person when a queued text will be saved. */
  note: string | null;
};

type Options = {
  saved: string;
  /** Saves the text, or throws if the service refuses the text. Calls `onHeld` with a note if the edit is queued. */
  save: (text: string, onHeld: (words: string) => void) => Promise<void>;
  check?: (text: string) => string | null;
  tidy?: (text: string) => string;
};

const savedForMs = 2_500;

const keepAsTyped = (text: string): string => text;

/** An untouched field follows changes from elsewhere. A refused text stays in the field with its problem. */
export const useDraftField = ({ saved, save, check, tidy = keepAsTyped }: Options) => {
  const [state, setState] = useState<DraftState>({
    base: saved,
    text: saved,
    status: 'still',
    problem: null,
    note: null,
  });
  if (saved !== state.base) {
    const untouched = state.text === state.base && ['still', 'saved'].includes(state.status);
    setState({ ...state, base: saved, text: untouched ? saved : state.text });
  }
  useEffect(() => {
    if (state.status !== 'saved') return;
    const timer = setTimeout(() => setState((now) => ({ ...now, status: 'still' })), savedForMs);
    return () => clearTimeout(timer);
  }, [state.status]);

  const saveTypedText = async (typed: string): Promise<void> => {
    const text = tidy(typed);
    if (state.status === 'saving') return;
    // If the text has not changed, nothing is saved. A queued edit stays queued, but an earlier refusal is cleared.
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
      // The person might have typed more text during the save, and that text is not saved yet.
      setState((now) => ({ ...now, status: now.text === text ? 'saved' : now.status, note: null }));
    } catch (error) {
      setState((now) => ({ ...now, status: 'refused', problem: getErrorSentence(error), note: null }));
    }
  };
  return {
    text: state.text,
    /** Null if the text is neither saved nor queued. */
    note: state.status === 'saved' ? t('parts.saved') : state.status === 'held' ? state.note : null,
    problem: state.problem,
    type: (text: string) => setState((now) => ({ ...now, text, status: 'still', problem: null })),
    commit: () => saveTypedText(state.text),
    keep: (text: string) => void saveTypedText(text),
  };
};

export const onCtrlEnter =
  (commit: () => Promise<void>) =>
  (event: React.KeyboardEvent): void => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    void commit();
  };
