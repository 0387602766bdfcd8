import { protocol } from 'electron';
import { appScheme } from './appAddress.ts';

/**
 * Registers the app's scheme as a standard origin. Must be called before the app is ready. The scheme has no code
 * cache: the cache would be in the data folder, where another program could inject code into the window.
 */
export const registerAppScheme = (): void =>
  protocol.registerSchemesAsPrivileged([
    {
      scheme: appScheme,
      privileges: { standard: true, secure: true, supportFetchAPI: true, stream: true },
    },
  ]);
