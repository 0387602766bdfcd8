import { createContext, useContext } from 'react';
import type { Question } from './questions.ts';

/** Hears which approval was shown last: the one that was opened may have been replaced meanwhile. */
export type OnClosed = (approvalId: string) => void;
export type OpenPrompt = { kind: Question['kind']; id: string; onClosed?: OnClosed | undefined };

type Prompts = {
  /** Opens an approval; one that is asked just now is never replaced, so then it comes after that. */
  show: (approvalId: string, onClosed?: OnClosed) => void;
  showBatch: (batchId: string) => void;
  /** Closes what is open. */
  hide: () => void;
  /** What is in front of the person. */
  open: OpenPrompt | null;
  /** Waiting questions that are not in front of the person and have not been looked at. */
  unseen: readonly Question[];
  /** Lines of a batch that the person unticked. */
  offOf: (batchId: string) => ReadonlySet<string>;
};

const nothing = (): void => undefined;

/** Given by `PromptHost`; apart from it, so that what a prompt holds may open another one. */
export const PromptsContext = createContext<Prompts>({
  show: nothing,
  showBatch: nothing,
  hide: nothing,
  open: null,
  unseen: [],
  offOf: () => new Set(),
});

/** Opens a prompt, and names those that wait to be looked at. */
export const usePrompts = (): Prompts => useContext(PromptsContext);
