import { parseTrustedInput } from '../../contract/index.ts';
import { createProblem, toProblemView } from '../base/problem.ts';
import type { Presence } from '../presence/presence.ts';
import { startSignIn, verifySignIn, type Connection } from '../service/connection.ts';
import { createBoundedMap } from '../base/boundedMap.ts';
import { createLedgerRefusalRecorder } from '../approvals/approvals.ts';
import type { CoreServices } from './coreServices.ts';

export type SignInCode = { challengeId: string; email: string; code: string };
export type SignInWay = { windowSession?: string | undefined; isProven?: boolean };

const minCodeIntervalMs = 60_000;
const maxWindows = 1_000;

/** The service sends few codes an hour, so a window gets one a minute. Throws CODE_JUST_SENT. */
const createCodeLimit = ({ elapsedMs }: CoreServices['clock']) => {
  const sentAtMs = createBoundedMap<string, number>(maxWindows);
  return (windowSession = ''): void => {
    const leftMs = (sentAtMs.get(windowSession) ?? -minCodeIntervalMs) + minCodeIntervalMs - elapsedMs();
    if (leftMs > 0) throw createProblem('CODE_JUST_SENT', { retryAfterS: Math.ceil(leftMs / 1_000) });
    sentAtMs.set(windowSession, elapsedMs());
  };
};

/** Any program can request codes and guess them, so both leave rows. */
const createSignInRecorder = (services: CoreServices) => {
  const recordOften = createLedgerRefusalRecorder(services);
  return {
    recordStart: (windowSession: string | undefined): void =>
      recordOften('proof.sign_in_started', '', { windowSession: windowSession ?? null }),
    recordWrongCode:
      (windowSession: string | undefined) =>
      (error: unknown): never => {
        const { code } = toProblemView(error);
        if (code === 'INVALID_CODE' || code === 'SIGN_IN_OTHER_ACCOUNT')
          recordOften('proof.sign_in_refused', code, { code, windowSession: windowSession ?? null });
        throw error;
      },
  };
};

/** Creates the functions of a sign-in by e-mail. Signing in again shows that the person can read the account's e-mails. */
export const createSignInActions = (
  { services, presence }: { services: CoreServices; presence: Presence },
  save: Connection['save'],
  onConnected: () => void,
) => {
  const { connection, client, clientOf, log, clock } = services;
  const requireCodeAllowed = createCodeLimit(clock);
  const { recordStart, recordWrongCode } = createSignInRecorder(services);
  const readSignedInPerson = (): { userId: string; email: string } => {
    const { userId, email = null } = connection.who() ?? {};
    if (userId === undefined || email === null) throw createProblem('NOT_CONNECTED');
    return { userId, email };
  };
  const revokeKey = (key: string): Promise<void> =>
    clientOf(key)
      .send('revokeCurrentKey', parseTrustedInput('revokeCurrentKey', {}))
      .then(
        () => undefined,
        () => log('warn', 'a key that is no longer used could not be revoked'),
      );
  /** Saves the key only if it belongs to this person, who must still be the last one. */
  const createOwnSaver =
    (userId: string | undefined): Connection['save'] =>
    async (newUserId, newEmail, key) => {
      if (newUserId === userId && connection.lastPerson()?.userId === userId) return save(newUserId, newEmail, key);
      await revokeKey(key);
      throw createProblem('SIGN_IN_OTHER_ACCOUNT');
    };
  return {
    /**
     * Connects with a code. Without a proof, a companion with a proof set up connects only the last account again, which
     * then counts as a sign-in for a recovery. Throws SIGN_IN_OTHER_ACCOUNT.
     */
    verify: async (
      given: SignInCode,
      connect: (how: () => Promise<void>) => Promise<void>,
      { windowSession, isProven = false }: SignInWay = {},
    ): Promise<void> => {
      const isOwn = presence.isSetUp() && !isProven;
      const saver = isOwn ? createOwnSaver(connection.lastPerson()?.userId) : save;
      await connect(() => verifySignIn(client, saver, given)).catch(recordWrongCode(windowSession));
      if (isOwn) presence.noteSignIn(windowSession);
    },
    start: (email: string, name?: string) => startSignIn(client, email, name),
    /** Sends a code to the e-mail address of the connected account. Throws CODE_JUST_SENT. */
    startAgain: async (windowSession?: string) => {
      const { email } = readSignedInPerson();
      requireCodeAllowed(windowSession);
      recordStart(windowSession);
      return startSignIn(client, email).then(({ challengeId }) => ({ challengeId }));
    },
    /** Uses the new key and revokes the previous one. Throws SIGN_IN_OTHER_ACCOUNT. */
    verifyAgain: async (
      { challengeId, code }: Pick<SignInCode, 'challengeId' | 'code'>,
      windowSession?: string,
    ): Promise<void> => {
      const { userId, email } = readSignedInPerson();
      const before = await connection.key();
      await verifySignIn(client, createOwnSaver(userId), { challengeId, email, code }).catch(
        recordWrongCode(windowSession),
      );
      if (before !== null) await revokeKey(before);
      presence.noteSignIn(windowSession);
      onConnected();
    },
  };
};
