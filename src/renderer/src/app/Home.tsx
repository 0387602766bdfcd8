import type { AppState } from '../api/types.ts';
import { BatchHost } from '../screens/approvals/batch/BatchHost.tsx';
import { PromptHost } from '../screens/approvals/PromptHost.tsx';
import { Frame } from './Frame.tsx';

/** What a connected person works in: the screens in their frame, and the questions above them. */
export const Home = ({ state }: { state: AppState }) => (
  <PromptHost>
    <BatchHost>
      <Frame state={state} />
    </BatchHost>
  </PromptHost>
);
