// Before all else: it asks for the state meanwhile.
import '../api/firstState.ts';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './App.tsx';
import { keepFilesOut } from './keepFilesOut.ts';

keepFilesOut();
const root = document.getElementById('root');
if (root)
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
