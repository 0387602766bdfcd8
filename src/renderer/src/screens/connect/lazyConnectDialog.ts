import { createLazyComponent } from '../../components/createLazyComponent.tsx';

/** The dialog in its own chunk, loaded while the window is idle. */
export const ConnectDialog = createLazyComponent(async () => (await import('./ConnectDialog.tsx')).ConnectDialog);
