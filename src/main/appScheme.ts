import { protocol } from 'electron';
import { appScheme } from './appAddress.ts';

/**
 * Must be called before the app is ready: makes the scheme a proper origin with a policy of its own. It has no code cache,
 * which would lie in the data folder: whoever can write there could put code into the window.
 */
export const registerAppScheme = (): void =>
  protocol.registerSchemesAsPrivileged([
    {
      scheme: appScheme,
      privileges: { standard: true, secure: true, supportFetchAPI: true, stream: true },
    },
  ]);
