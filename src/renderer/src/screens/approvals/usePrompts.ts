import { createContext, useContext } from 'react';
import type { ApprovalView } from '../../api/types.ts';

type Prompts = {
  /** Opens it. `onClosed` hears which one was shown last: an approval may have been replaced meanwhile. */
  show: (approvalId: string, onClosed?: (approvalId: string) => void) => void;
  /** Waiting questions that came while the person was busy and have not been looked at. */
  held: readonly ApprovalView[];
};

/** Given by `PromptHost`; apart from it, so that what a prompt holds may open another one. */
export const PromptsContext = createContext<Prompts>({ show: () => undefined, held: [] });

/** Opens a prompt, and names those that wait to be looked at. */
export const usePrompts = (): Prompts => useContext(PromptsContext);
