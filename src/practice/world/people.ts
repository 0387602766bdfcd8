import * as z from 'zod';
import { siteId, type PlanCode } from '../../contract/index.ts';
import { selectAllRows, flagColumn, jsonColumn, selectFirstRow, runStatement } from '../database.ts';
import { createPrefixedId, createRandomText } from '../ids.ts';
import type { World } from './world.ts';

export const itemLocation = z.looseObject({
  country: z.string().min(2).max(60),
  postalCode: z.string().min(1).max(20),
  city: z.string().max(100).optional(),
});
export type ItemLocation = z.infer<typeof itemLocation>;

export const sellerDefaultsInput = z.looseObject({
  location: itemLocation.nullish(),
  /** `inline` writes the shipping into the listing instead of using a policy. It is allowed only on the home site. */
  shipping: z
    .looseObject({ inline: z.boolean().optional(), handlingDays: z.int().min(0).max(30).optional() })
    .nullish(),
  returns: z.looseObject({ accepted: z.boolean().optional(), days: z.int().min(0).max(365).optional() }).nullish(),
  marketplaceId: siteId.nullish(),
  format: z.enum(['FIXED_PRICE', 'AUCTION']).nullish(),
  bestOffer: z
    .looseObject({
      enabled: z.boolean().optional(),
      autoAcceptCents: z.int().nonnegative().optional(),
      autoDeclineCents: z.int().nonnegative().optional(),
    })
    .nullish(),
  packageWeightGrams: z.int().min(1).max(1_000_000).nullish(),
});
/** A null field is a default that the person removed. */
export type SellerDefaults = z.infer<typeof sellerDefaultsInput>;

const planCode = z.enum(['free', 'lite', 'starter', 'pro', 'business', 'scale']) satisfies z.ZodType<PlanCode>;

const personRow = z.object({
  userId: z.string(),
  email: z.string(),
  name: z.string().nullable(),
  language: z.string(),
  avatar: z.string().nullable(),
  autoDelistDefault: flagColumn,
  plan: planCode,
  billing: z.enum(['none', 'card', 'store']),
  /** Only for plans paid by card: whether the plan is paid and set up at the billing provider. */
  subscription: z.enum(['active', 'past_due', 'pending']),
  credits: z.int(),
  trialEligible: flagColumn,
  trialEndsAt: z.int().nullable(),
  renewsAt: z.int().nullable(),
  extrasEnabled: flagColumn,
  extrasOnAt: z.int().nullable(),
  extrasReceipt: flagColumn,
  homeSite: siteId,
  accountId: z.string().nullable(),
  accountName: z.string().nullable(),
  connectedAt: z.int().nullable(),
  acknowledgedAt: z.int().nullable(),
  sellerSetup: flagColumn,
  lastRefusal: z.string().nullable(),
  confirmedSites: jsonColumn(z.array(z.string())),
  sellerDefaults: jsonColumn(sellerDefaultsInput),
  templateId: z.string().nullable(),
  emailPreferences: jsonColumn(z.looseObject({})),
  pushPreferences: jsonColumn(z.looseObject({})),
  referralCode: z.string(),
  hasPassword: flagColumn,
  deletedAt: z.int().nullable(),
  createdAt: z.int(),
});

export type Person = z.infer<typeof personRow>;

/** Accounts are stored under this form of the e-mail address. */
export const normaliseEmailAddress = (email: string): string => email.trim().toLowerCase();

export const findPersonById = ({ db }: World, userId: string): Person | null =>
  selectFirstRow(db, personRow, 'SELECT * FROM people WHERE userId = ?', userId);

/** Returns the person with this e-mail address in any spelling, or null. */
export const findPersonByEmail = ({ db }: World, email: string): Person | null =>
  selectFirstRow(db, personRow, 'SELECT * FROM people WHERE email = ?', normaliseEmailAddress(email));

/** Returns the e-mail addresses of all accounts, including deleted accounts. */
export const listPersonAddresses = ({ db }: World): string[] =>
  selectAllRows(db, z.object({ email: z.string() }), 'SELECT email FROM people ORDER BY createdAt, rowid').map(
    ({ email }) => email,
  );

/** Returns the person with this id. Throws if the id is unknown. */
export const requirePersonById = (world: World, userId: string): Person => {
  const person = findPersonById(world, userId);
  if (!person) throw new Error(`There is no person with the id ${userId}.`);
  return person;
};

export const createFreeAccount = (world: World, email: string, name: string | null): Person => {
  const userId = createPrefixedId('usr');
  runStatement(
    world.db,
    'INSERT INTO people (userId, email, name, referralCode, createdAt) VALUES (?, ?, ?, ?, ?)',
    userId,
    normaliseEmailAddress(email),
    name,
    createRandomText(8),
    world.clock.now(),
  );
  return requirePersonById(world, userId);
};
