import { lazyComponent } from '../../components/lazyComponent.tsx';

/** The dialog in its own chunk, loaded while the window is idle. */
export const ConnectDialog = lazyComponent(async () => (await import('./ConnectDialog.tsx')).ConnectDialog);
