import * as z from 'zod';

export const siteIdPattern = /^MKT_[A-Z]+$/;
export const extrasApprovalIdPattern = /^xa_[0-9A-Za-z]{12}$/;

export const siteId = z.string().regex(siteIdPattern, 'A site looks like MKT_US.');
/** An id "." or ".." is refused, because it would turn the path into that of another route. */
export const id = z
  .string()
  .min(1)
  .max(200)
  .regex(/^(?!\.{1,2}$)/, 'This is not an id.');
const dateNeeded = 'A date like 2026-11-21 is needed.';
export const day = z.iso.date(dateNeeded);
export const dayOrTime = z.union([z.iso.date(), z.iso.datetime({ offset: true })], dateNeeded);
export const cents = z.int().nonnegative();
export const quantity = z.int().min(1, 'The quantity is at least 1.').max(100_000);
export const extrasApprovalId = z
  .string()
  .regex(extrasApprovalIdPattern, 'An extras approval looks like xa_ and 12 letters or digits.');

export const idempotencyKey = z
  .string()
  .regex(/^[\x21-\x7e]{1,64}$/, 'The key has 1 to 64 printable ASCII characters and no spaces.');

export const openObject = z.looseObject({});

export const policyChoice = {
  marketAccountId: z.string().optional(),
  fulfillmentPolicyId: z.string().optional(),
  paymentPolicyId: z.string().optional(),
  returnPolicyId: z.string().optional(),
};
