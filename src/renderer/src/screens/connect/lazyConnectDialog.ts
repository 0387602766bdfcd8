import { createLazyComponent } from '../../components/createLazyComponent.tsx';

/** Loads the dialog while the window is idle. */
export const ConnectDialog = createLazyComponent(async () => (await import('./ConnectDialog.tsx')).ConnectDialog);
