import {
  browserSupportsWebAuthn,
  startAuthentication,
  startRegistration,
  WebAuthnAbortService,
  WebAuthnError,
} from '@simplewebauthn/browser';
import type { CeremonyWord } from '../../../ipc/ceremonyPage.ts';

type AuthenticationOptions = Parameters<typeof startAuthentication>[0]['optionsJSON'];
type RegistrationOptions = Parameters<typeof startRegistration>[0]['optionsJSON'];

export const isPasskeySupported = browserSupportsWebAuthn;

/** Asks the browser for a signature, or for a new passkey. Throws the error of the browser. */
export const askBrowser = (isRegistration: boolean, options: object): Promise<object> =>
  isRegistration
    ? startRegistration({ optionsJSON: options as RegistrationOptions })
    : startAuthentication({ optionsJSON: options as AuthenticationOptions });

export const endBrowserDialog = (): void => WebAuthnAbortService.cancelCeremony();

/** A dialog that ends this early was not closed by a person: nothing on this computer could answer it. */
const minDialogMs = 400;

const words: Record<string, CeremonyWord> = {
  InvalidStateError: 'alreadyAdded',
  ConstraintError: 'noAuthenticator',
  NotSupportedError: 'noAuthenticator',
  SecurityError: 'noWebAuthn',
};

/** Returns the word for an error of the browser; null if the error has another cause. */
export const findBrowserErrorWord = (error: unknown, tookMs: number): CeremonyWord | null => {
  if (!(error instanceof WebAuthnError || error instanceof DOMException)) return null;
  if (error.name !== 'NotAllowedError') return words[error.name] ?? 'notConfirmed';
  return tookMs < minDialogMs ? 'noAuthenticator' : 'notConfirmed';
};
