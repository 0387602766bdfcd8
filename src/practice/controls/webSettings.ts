import * as z from 'zod';
import { atomically } from '../database.ts';
import { refuse } from '../refusal.ts';
import { deleteAccount, resetPassword } from '../world/accounts.ts';
import { buyCredits } from '../world/billing.ts';
import { keyById, revokeKey } from '../world/keys.ts';
import { personOf } from '../world/people.ts';
import type { World } from '../world/world.ts';

/** The person whom a control is about. */
export const somebody = z.strictObject({ userId: z.string() });
/** The assistant that is disconnected. */
export const oneKey = z.strictObject({ keyId: z.string() });
/** Which pack of credits somebody buys. */
export const purchase = z.strictObject({ userId: z.string(), productId: z.string() });

const known = (world: World, userId: string): string =>
  personOf(world, userId) ? userId : refuse(404, 'Nobody has this id.');

/** What only the person does, in the web settings or the phone app, and what assistants then live with. */
export const webSettings = {
  deleteAccount: (world: World, { userId }: z.infer<typeof somebody>) => deleteAccount(world, known(world, userId)),
  resetPassword: (world: World, { userId }: z.infer<typeof somebody>) => resetPassword(world, known(world, userId)),
  buyCredits: (world: World, { userId, productId }: z.infer<typeof purchase>) =>
    buyCredits(world, known(world, userId), productId),
  disconnect: (world: World, { keyId }: z.infer<typeof oneKey>) =>
    atomically(world.db, () => {
      const key = keyById(world, keyId);
      if (!key) return refuse(404, 'There is no assistant with this id.');
      revokeKey(world, key);
      return { keyId, revoked: true };
    }),
};
