/// <reference types="vite/client" />
// Before all else: it asks for the state while the rest of the page is still being read.
import '../api/firstState.ts';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './App.tsx';
import { prepareFirstScreen } from './firstScreen.ts';

/** A file dropped where nothing takes it would be opened in place of the window. */
const preventFileNavigation = (): void => {
  for (const name of ['dragover', 'drop'] as const) window.addEventListener(name, (event) => event.preventDefault());
};

preventFileNavigation();
const draw = (): void => {
  const root = document.getElementById('root');
  if (root)
    createRoot(root).render(
      <StrictMode>
        <App />
      </StrictMode>,
    );
};
prepareFirstScreen().then(draw, draw);
