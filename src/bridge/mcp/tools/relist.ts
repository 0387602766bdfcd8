import * as z from 'zod';
import { callOrAsk, actSummary, waitingForPerson } from '../asking.ts';
import { listingId, nextStep, reason } from '../fields.ts';
import { hints, tool } from '../tool.ts';

export const relist = tool({
  name: 'relist',
  title: 'Bring back an ended listing',
  description: 'Bring an ended or unsold listing back for review. Publishes nothing.',
  input: z.object({ listingId, reason }),
  output: z.union([z.object({ state: z.literal('done'), nextStep }), waitingForPerson]),
  hints: hints.adds,
  run: ({ listingId: id, reason: why }, context) =>
    callOrAsk(context, { route: 'relistListing', input: { params: { listingId: id }, body: {} }, reason: why }, () => ({
      state: 'done' as const,
      nextStep:
        'It is back for review. Call get_listing, then quote_fees and publish_listing when the person wants that.',
    })),
  summarize: actSummary('It is back for review.'),
});
