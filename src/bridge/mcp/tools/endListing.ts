import * as z from 'zod';
import { callOrAsk, actSummary, waitingForPerson } from '../asking.ts';
import { listingId, nextStep, reason } from '../fields.ts';
import { hints, tool } from '../tool.ts';

export const endListing = tool({
  name: 'end_listing',
  title: 'Ask to end a live listing',
  description:
    'Ask the person to end a live listing, which cannot be undone. Answers at once; the person decides in the companion.',
  input: z.object({ listingId, reason }),
  output: z.union([z.object({ state: z.literal('done'), nextStep }), waitingForPerson]),
  hints: hints.acts,
  run: ({ listingId: id, reason: why }, context) =>
    callOrAsk(context, { route: 'endListing', input: { params: { listingId: id }, body: {} }, reason: why }, () => ({
      state: 'done' as const,
      nextStep: 'It has ended. Tell the person.',
    })),
  summarize: actSummary('The listing has ended.'),
});
