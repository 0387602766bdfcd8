import * as z from 'zod';
import { siteId, type PlanCode } from '../../contract/index.ts';
import { flag, json } from '../columns.ts';
import { one, run } from '../database.ts';
import { newId, randomText } from '../ids.ts';
import { sellerDefaults } from './sellerDefaults.ts';
import type { World } from './world.ts';

const plan = z.enum(['free', 'lite', 'starter', 'pro', 'business', 'scale']) satisfies z.ZodType<PlanCode>;

const personRow = z.object({
  userId: z.string(),
  email: z.string(),
  name: z.string().nullable(),
  language: z.string(),
  avatar: z.string().nullable(),
  autoDelistDefault: flag,
  plan,
  billing: z.enum(['none', 'card', 'store']),
  credits: z.int(),
  trialEligible: flag,
  trialEndsAt: z.int().nullable(),
  /** When the next month of a plan that is paid by card is billed. */
  renewsAt: z.int().nullable(),
  extrasEnabled: flag,
  extrasOnAt: z.int().nullable(),
  extrasReceipt: flag,
  homeSite: siteId,
  accountId: z.string().nullable(),
  accountName: z.string().nullable(),
  connectedAt: z.int().nullable(),
  acknowledgedAt: z.int().nullable(),
  /** Whether the person has finished setting up as a seller at the marketplace. */
  sellerSetup: flag,
  lastRefusal: z.string().nullable(),
  confirmedSites: json(z.array(z.string())),
  sellerDefaults: json(sellerDefaults),
  templateId: z.string().nullable(),
  emailPreferences: json(z.looseObject({})),
  pushPreferences: json(z.looseObject({})),
  referralCode: z.string(),
  hasPassword: flag,
  deletedAt: z.int().nullable(),
  createdAt: z.int(),
});

/** Somebody with an account at the service. */
export type Person = z.infer<typeof personRow>;

/** An address as accounts are found by it. */
export const normalEmail = (email: string): string => email.trim().toLowerCase();

/** The person with this id, or null. */
export const personOf = ({ db }: World, userId: string): Person | null =>
  one(db, personRow, 'SELECT * FROM people WHERE userId = ?', userId);

/** The person with this address, however it is written, or null. */
export const personByEmail = ({ db }: World, email: string): Person | null =>
  one(db, personRow, 'SELECT * FROM people WHERE email = ?', normalEmail(email));

/** The person, who is known to be there. */
export const knownPerson = (world: World, userId: string): Person => {
  const person = personOf(world, userId);
  if (!person) throw new Error(`Nobody has the id ${userId}.`);
  return person;
};

/** Makes an account on the free plan. */
export const createPerson = (world: World, email: string, name: string | null): Person => {
  const userId = newId('usr');
  run(
    world.db,
    'INSERT INTO people (userId, email, name, referralCode, createdAt) VALUES (?, ?, ?, ?, ?)',
    userId,
    normalEmail(email),
    name,
    randomText(8),
    world.clock.now(),
  );
  return knownPerson(world, userId);
};
