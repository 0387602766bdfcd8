import { protocol } from 'electron';
import { appScheme } from './appAddress.ts';

/**
 * Must be called before the app is ready. The scheme has no code cache, because another program could inject code into a cache in the data
 * folder.
 */
export const registerAppScheme = (): void =>
  protocol.registerSchemesAsPrivileged([
    {
      scheme: appScheme,
      privileges: { standard: true, secure: true, supportFetchAPI: true, stream: true },
    },
  ]);
