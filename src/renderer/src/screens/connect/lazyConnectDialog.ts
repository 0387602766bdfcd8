import { lazyComponent } from '../../components/lazyComponent.tsx';

/** Connecting, over any screen; its dialog is loaded when the window rests. */
export const ConnectDialog = lazyComponent(async () => (await import('./ConnectDialog.tsx')).ConnectDialog);
