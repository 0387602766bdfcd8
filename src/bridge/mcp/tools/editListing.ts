import * as z from 'zod';
import { bestOffer, listingChanges } from '../../../contract/index.ts';
import { Problem } from '../../../core/base/problem.ts';
import { withoutUndefined, callOrAsk, actSummary, waitingForPerson } from '../asking.ts';
import { cents, listingId, nextStep, reason } from '../fields.ts';
import { hints, tool } from '../tool.ts';

const {
  title,
  description,
  condition,
  conditionDescription,
  itemSpecifics,
  quantity,
  categoryId,
  packageWeightGrams,
  sku,
} = listingChanges.shape;

export const editListing = tool({
  name: 'edit_listing',
  title: 'Edit a listing before it is live',
  description:
    'Change fields of a listing that never went live. Fields that are left out stay. Changing Best Offer asks the person.',
  input: z.object({
    listingId,
    title,
    description,
    priceCents: cents.optional(),
    condition,
    conditionDescription,
    itemSpecifics: itemSpecifics.describe('All item specifics by name: those that are left out are removed.'),
    quantity,
    categoryId,
    packageWeightGrams,
    sku,
    bestOffer: bestOffer.optional().describe('Limits in cents. Asks the person.'),
    reason,
  }),
  output: z.union([z.object({ state: z.literal('done'), changed: z.array(z.string()), nextStep }), waitingForPerson]),
  hints: hints.overwrites,
  run: async ({ listingId: id, reason: why, priceCents, ...fields }, context) => {
    const body = withoutUndefined({ ...fields, price: priceCents });
    if (Object.keys(body).length === 0)
      throw new Problem('INVALID_REQUEST', 'Name at least one field to change.', { field: 'title' });
    return callOrAsk(
      context,
      { route: 'updateListing', input: { params: { listingId: id }, body }, reason: why },
      () => ({
        state: 'done' as const,
        changed: Object.keys(withoutUndefined({ ...fields, priceCents })),
        nextStep: 'Call get_listing to show the person what is saved.',
      }),
    );
  },
  summarize: actSummary('The changes are saved.'),
});
