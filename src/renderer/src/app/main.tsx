/// <reference types="vite/client" />
// Must be first: it requests the state while the rest of the page is loading.
import '../api/firstState.ts';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './App.tsx';
import { prepareFirstScreen } from './firstScreen.ts';

/** The browser would navigate to a file that is dropped outside of a drop zone. */
const preventFileNavigation = (): void => {
  for (const name of ['dragover', 'drop'] as const) window.addEventListener(name, (event) => event.preventDefault());
};

preventFileNavigation();
const renderApp = (): void => {
  const root = document.getElementById('root');
  if (root)
    createRoot(root).render(
      <StrictMode>
        <App />
      </StrictMode>,
    );
};
prepareFirstScreen().then(renderApp, renderApp);
