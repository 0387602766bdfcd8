import * as z from 'zod';
import { count } from '../columns.ts';
import { atomically, one, run } from '../database.ts';
import { note } from './journal.ts';
import { notify } from './notifications.ts';
import { createPerson, personByEmail } from './people.ts';
import type { World } from './world.ts';

const referrer = z.object({ userId: z.string(), name: z.string().nullable() });

/** Who invites with a referral code. */
export const referrerOf = ({ db }: World, code: string): z.infer<typeof referrer> | null =>
  one(db, referrer, 'SELECT userId, name FROM people WHERE referralCode = ? AND deletedAt IS NULL', code);

/** How many people joined by a person's link. */
export const joinedBy = ({ db }: World, userId: string): number =>
  one(db, count, 'SELECT COUNT(*) AS n FROM people WHERE referredBy = ?', userId)?.n ?? 0;

/** Somebody joins by a referral link. Who has an account already is not counted, and is not told from the others. */
export const join = (world: World, userId: string, email: string): void =>
  atomically(world.db, () => {
    if (personByEmail(world, email)) return;
    const joined = createPerson(world, email, null);
    run(world.db, 'UPDATE people SET referredBy = ? WHERE userId = ?', userId, joined.userId);
    note(world, 'joined', { userId, joined: joined.userId });
    notify(world, userId, 'account', 'Somebody joined by your link.');
  });
