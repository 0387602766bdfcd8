import * as z from 'zod';
import type { CompanionConfig, Foundation } from './foundation.ts';
import type { Items } from '../items/items.ts';
import { problem } from '../base/problem.ts';
import { startSignIn, verifySignIn } from '../service/signIn.ts';

/** Set while the connected person is the practice person. */
const practising = 'practice person';
/** Another person has other marketplace accounts. */
const nobodysAccount = { marketAccountId: null };

/** The ways to connect and to forget the connection; `takeUp` is what follows every one that succeeds. */
export const createConnecting = (parts: Foundation, config: CompanionConfig, items: Items, takeUp: () => void) => {
  const { connection, client, settings, changed } = parts;

  const practise = async (): Promise<void> => {
    if (!config.practicePerson) throw problem('NO_PRACTICE');
    const made = await config.practicePerson();
    await connection.save(made.userId, made.email, made.agentKey);
    settings.write(practising, true);
  };

  return {
    practice: async (): Promise<void> => {
      await practise();
      takeUp();
    },
    start: (email: string) => startSignIn(client, email),
    verify: async (given: { challengeId: string; email: string; code: string }): Promise<void> => {
      const before = connection.who()?.account;
      await verifySignIn(client, connection, given);
      settings.remove(practising);
      if (connection.account() !== before) settings.change(nobodysAccount);
      takeUp();
    },
    forget: async (): Promise<void> => {
      const which = connection.which();
      await items.stop();
      if (!(await connection.forget(which))) return takeUp();
      settings.remove(practising);
      settings.change(nobodysAccount);
      changed('app');
    },
    /** At a start. The practice key is no secret worth a keychain: a new run gets a new one for the same practice person. */
    restore: async (): Promise<void> => {
      const again = config.practicePerson !== null && settings.read(practising, z.boolean()) === true;
      if (again && connection.state() === 'reconnect') await practise();
    },
  };
};
