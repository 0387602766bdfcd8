import { useEffect } from 'react';
import type { AppState } from '../api/types.ts';
import { loadTheRest } from '../parts/late.tsx';
import { PromptHost } from '../screens/approvals/PromptHost.tsx';
import { HeldEdits } from '../screens/items/review/HeldEdits.tsx';
import { Frame } from './Frame.tsx';

/** What a connected person works in: the screens in their frame, and the questions above them. */
export const Home = ({ state }: { state: AppState }) => {
  useEffect(loadTheRest, []);
  return (
    <PromptHost>
      <HeldEdits />
      <Frame state={state} />
    </PromptHost>
  );
};
