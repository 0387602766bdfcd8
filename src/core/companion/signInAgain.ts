import { parseTrustedInput } from '../../contract/index.ts';
import { createProblem } from '../base/problem.ts';
import type { Presence } from '../presence/presence.ts';
import { startSignIn, verifySignIn, type Connection } from '../service/connection.ts';
import type { CoreServices } from './coreServices.ts';

/** Creates the functions of a sign-in by e-mail. Signing in again shows that the person can read the account's e-mails. */
export const createSignInActions = (
  { services, presence }: { services: CoreServices; presence: Presence },
  save: Connection['save'],
  onConnected: () => void,
) => {
  const { connection, client, clientOf, log } = services;
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
  return {
    start: (email: string, name?: string) => startSignIn(client, email, name),
    /** Sends a code to the e-mail address of the connected account. */
    startAgain: async () => {
      const { challengeId } = await startSignIn(client, readSignedInPerson().email);
      return { challengeId };
    },
    /** Uses the new key and revokes the previous one. Throws SIGN_IN_OTHER_ACCOUNT. */
    verifyAgain: async ({ challengeId, code }: { challengeId: string; code: string }): Promise<void> => {
      const { userId, email } = readSignedInPerson();
      const before = await connection.key();
      const saveSameAccount: Connection['save'] = async (newUserId, newEmail, key) => {
        if (newUserId === userId && connection.who()?.userId === userId) return save(newUserId, newEmail, key);
        await revokeKey(key);
        throw createProblem('SIGN_IN_OTHER_ACCOUNT');
      };
      await verifySignIn(client, saveSameAccount, { challengeId, email, code });
      if (before !== null) await revokeKey(before);
      presence.noteSignIn();
      onConnected();
    },
  };
};
