import * as z from 'zod';

/** Schemas shared by many routes. Money is in integer cents or minor units; times are ISO 8601 strings. */
export const siteIdPattern = /^MKT_[A-Z]+$/;
export const extrasApprovalIdPattern = /^xa_[0-9A-Za-z]{12}$/;

export const siteId = z.string().regex(siteIdPattern, 'A site looks like MKT_US.');
/** Refuses dot segments, because "." or ".." in a path would lead to another route. */
export const id = z
  .string()
  .min(1)
  .max(200)
  .regex(/^(?!\.{1,2}$)/, 'This is not an id.');
const dateNeeded = 'A date like 2026-11-21 is needed.';
export const day = z.iso.date(dateNeeded);
/** A calendar day or a time. */
export const dayOrTime = z.union([z.iso.date(), z.iso.datetime({ offset: true })], dateNeeded);
export const cents = z.int().nonnegative();
export const quantity = z.int().min(1, 'The quantity is at least 1.').max(100_000);
export const extrasApprovalId = z
  .string()
  .regex(extrasApprovalIdPattern, 'An extras approval looks like xa_ and 12 letters or digits.');

/** `Idempotency-Key` of POST /listings: 1 to 64 printable ASCII characters without spaces. */
export const idempotencyKey = z
  .string()
  .regex(/^[\x21-\x7e]{1,64}$/, 'The key has 1 to 64 printable ASCII characters and no spaces.');

/** An object whose fields the interface leaves open; every field is kept. */
export const openObject = z.looseObject({});

/** The account and policies that a publish or a quote can name. */
export const policyChoice = {
  marketAccountId: z.string().optional(),
  fulfillmentPolicyId: z.string().optional(),
  paymentPolicyId: z.string().optional(),
  returnPolicyId: z.string().optional(),
};
