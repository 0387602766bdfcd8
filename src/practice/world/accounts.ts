import { atomically, run } from '../database.ts';
import { note } from './journal.ts';
import { liveKeys, revokeKey } from './keys.ts';
import { knownPerson } from './people.ts';
import type { World } from './world.ts';

/** What a password reset on the web does: keys made by a code end, unless the account had no password before. */
export const resetPassword = (world: World, userId: string): { ended: string[] } =>
  atomically(world.db, () => {
    const { hasPassword } = knownPerson(world, userId);
    const ended = hasPassword ? liveKeys(world, userId).filter(({ madeBy }) => madeBy === 'code') : [];
    for (const key of ended) revokeKey(world, key);
    run(world.db, 'UPDATE people SET hasPassword = 1 WHERE userId = ?', userId);
    note(world, 'account', { userId, what: hasPassword ? 'password_reset' : 'first_password' });
    return { ended: ended.map(({ keyId }) => keyId) };
  });

/** What deleting the account on the web does: every key ends, and the address cannot be used any more. */
export const deleteAccount = (world: World, userId: string): { ended: string[] } =>
  atomically(world.db, () => {
    const ended = liveKeys(world, userId);
    for (const key of ended) revokeKey(world, key);
    run(world.db, 'UPDATE people SET deletedAt = ?, renewsAt = NULL WHERE userId = ?', world.clock.now(), userId);
    note(world, 'account', { userId, what: 'deleted' });
    return { ended: ended.map(({ keyId }) => keyId) };
  });
