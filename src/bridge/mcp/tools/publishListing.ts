import * as z from 'zod';
import { policyChoice, publishAnswer } from '../../../contract/index.ts';
import { withoutUndefined, callOrAsk, actSummary, waitingForPerson } from '../asking.ts';
import { listingId, nextStep, pageUrl, reason } from '../fields.ts';
import { hints, tool } from '../tool.ts';

export const publishListing = tool({
  name: 'publish_listing',
  title: 'Ask to publish a listing',
  description:
    'Ask the person to publish a reviewed listing. Answers at once: the person sees the listing and its fee in the companion and says yes or no there. Nothing that you pass or say stands for their yes.',
  input: z.object({
    listingId,
    ...policyChoice,
    autoDelistOnSale: z.boolean().optional().describe('Take it off the other channels when it is sold.'),
    reason,
  }),
  output: z.union([z.object({ state: z.literal('done'), liveUrl: z.string().nullable(), nextStep }), waitingForPerson]),
  hints: hints.acts,
  run: ({ listingId: id, reason: why, ...choices }, context) =>
    callOrAsk(
      context,
      { route: 'publishListing', input: { params: { listingId: id }, body: withoutUndefined(choices) }, reason: why },
      (body) => ({
        state: 'done' as const,
        liveUrl: pageUrl(publishAnswer.parse(body).marketListingUrl),
        nextStep: 'It is live. Give the person the link.',
      }),
    ),
  summarize: actSummary('It is live.'),
});
