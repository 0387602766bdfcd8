import type { CeremonyProblem, CeremonyReply, CeremonyWord } from '../../../ipc/ceremonyPage.ts';
import {
  browserSupportsWebAuthn,
  startAuthentication,
  startRegistration,
  WebAuthnAbortService,
  WebAuthnError,
} from '@simplewebauthn/browser';

type AuthenticationOptions = Parameters<typeof startAuthentication>[0]['optionsJSON'];
type RegistrationOptions = Parameters<typeof startRegistration>[0]['optionsJSON'];

export const isPasskeySupported = browserSupportsWebAuthn;

/** Asks the browser for a signature, or for a new passkey. Throws the error of the browser. */
export const askBrowser = (isRegistration: boolean, options: object): Promise<object> =>
  isRegistration
    ? startRegistration({ optionsJSON: options as RegistrationOptions })
    : startAuthentication({ optionsJSON: options as AuthenticationOptions });

export const endBrowserDialog = (): void => WebAuthnAbortService.cancelCeremony();

/** The browser closes its dialog this early only if the computer has no authenticator. No person can be so fast. */
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

/** A refusal of the core, in the language of the page. */
export class CeremonyError extends Error {
  readonly problem: CeremonyProblem;
  constructor(problem: CeremonyProblem) {
    super(problem.sentence);
    this.problem = problem;
  }
}

const postJson = (path: string, body: object, keepalive: boolean): Promise<Response> =>
  fetch(`${location.pathname}/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    keepalive,
  });

/** Throws a CeremonyError if the core refuses, and another error if the companion does not answer. */
export const askServer = async (path: string, body: object = {}): Promise<void> => {
  const response = await postJson(path, body, false);
  const reply = (await response.json()) as CeremonyReply;
  if (!reply.ok) throw new CeremonyError(reply.problem);
};

/** Reaches the server even while the page closes. */
export const cancelCeremony = (): Promise<unknown> => postJson('cancel', {}, true).catch(() => undefined);
