import * as z from 'zod';
import { listing, listingStatuses } from '../../../contract/index.ts';
import { withoutUndefined } from '../asking.ts';
import { ageS } from '../fields.ts';
import { listingSummary, summaryOf } from '../listingShape.ts';
import { hints, tool } from '../tool.ts';
import { readService } from '../bodyOf.ts';

const listingPage = z.looseObject({ listings: z.array(z.unknown()).default([]), nextCursor: z.string().nullish() });

export const listListings = tool({
  name: 'list_listings',
  title: 'List listings',
  description: "List the person's listings, newest first. Narrow them by status or words; go on with nextCursor.",
  input: z.object({
    status: z.enum(listingStatuses).optional(),
    query: z.string().max(200).optional().describe('Words in the title.'),
    limit: z.int().min(1).max(100).default(25),
    cursor: z.string().max(500).optional().describe('nextCursor of the page before.'),
  }),
  output: z.object({ listings: z.array(listingSummary), nextCursor: z.string().nullable(), ageS }),
  hints: hints.reads,
  run: async ({ status, query, limit, cursor }, context) => {
    const { body, ageS: age } = await readService(context, 'listListings', {
      query: withoutUndefined({ status, q: query, limit, cursor }),
    });
    const { listings, nextCursor } = listingPage.parse(body);
    return {
      listings: listings.flatMap((one) => {
        const parsed = listing.safeParse(one);
        return parsed.success ? [summaryOf(parsed.data)] : [];
      }),
      nextCursor: nextCursor ?? null,
      ageS: age,
    };
  },
  summarize: ({ listings, nextCursor }) =>
    `${listings.length} ${listings.length === 1 ? 'listing' : 'listings'}${nextCursor === null ? '' : ', and more behind nextCursor'}.`,
});
