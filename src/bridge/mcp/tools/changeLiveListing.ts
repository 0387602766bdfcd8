import * as z from 'zod';
import { bestOffer, listingChanges } from '../../../contract/index.ts';
import { Problem } from '../../../core/base/problem.ts';
import { withoutUndefined, callOrAsk, actSummary, waitingForPerson } from '../asking.ts';
import { cents, listingId, nextStep, reason } from '../fields.ts';
import { hints, tool } from '../tool.ts';

const { title, description, quantity, sku } = listingChanges.shape;

export const changeLiveListing = tool({
  name: 'change_live_listing',
  title: 'Ask to change a live listing',
  description:
    'Ask the person to change a listing that buyers can see. Answers at once; the person decides in the companion.',
  input: z.object({
    listingId,
    title,
    description,
    priceCents: cents.optional(),
    quantity,
    sku,
    bestOffer: bestOffer.optional().describe('Limits in cents.'),
    reason,
  }),
  output: z.union([z.object({ state: z.literal('done'), nextStep }), waitingForPerson]),
  hints: hints.acts,
  run: async ({ listingId: id, reason: why, priceCents, ...fields }, context) => {
    const body = withoutUndefined({ ...fields, price: priceCents });
    if (Object.keys(body).length === 0)
      throw new Problem('INVALID_REQUEST', 'Name at least one field to change.', { field: 'title' });
    return callOrAsk(
      context,
      { route: 'reviseListing', input: { params: { listingId: id }, body }, reason: why },
      () => ({
        state: 'done' as const,
        nextStep: 'Call get_listing to see how it stands.',
      }),
    );
  },
  summarize: actSummary('The live listing is changed.'),
});
