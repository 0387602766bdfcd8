/// <reference types="vite/client" />
// Must be first: it requests the state while the rest of the page is loading.
import '../api/firstState.ts';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { callCore } from '../api/call.ts';
import { App } from './App.tsx';
import { prepareFirstScreen } from './firstScreen.ts';

/** The browser would navigate to a file that is dropped outside of a drop zone. */
const preventFileNavigation = (): void => {
  for (const name of ['dragover', 'drop'] as const) window.addEventListener(name, (event) => event.preventDefault());
};

const useReportMs = 1_000;
const useEvents = ['keydown', 'pointerdown', 'pointermove', 'wheel', 'scroll', 'hashchange'] as const;

/** While the person uses the window, the companion leaves a processor free for it. */
const reportUse = (): void => {
  let nextAt = 0;
  const report = (): void => {
    const now = performance.now();
    if (now < nextAt) return;
    nextAt = now + useReportMs;
    callCore('app.used', {}).catch(() => undefined);
  };
  for (const name of useEvents) window.addEventListener(name, report, { capture: true, passive: true });
};

preventFileNavigation();
reportUse();
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
