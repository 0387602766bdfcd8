import { protocol } from 'electron';
import { appScheme } from './appAddress.ts';

/** Must be called before the app is ready. Cached code is off, because another program could change it. */
export const registerAppScheme = (): void =>
  protocol.registerSchemesAsPrivileged([
    {
      scheme: appScheme,
      privileges: { standard: true, secure: true, supportFetchAPI: true, stream: true },
    },
  ]);
