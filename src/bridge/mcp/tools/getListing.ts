import * as z from 'zod';
import { readService } from '../bodyOf.ts';
import { ageS, listingId, nextStep } from '../fields.ts';
import { detailOf, listingDetail } from '../listingShape.ts';
import { hints, tool } from '../tool.ts';
import { entryOf } from '../../../contract/foreign.ts';

const nextSteps: Readonly<Record<string, string>> = {
  draft: 'It has not been written yet.',
  processing: 'It is being written. Call check_request with its itemId and waitS 45 rather than this tool again.',
  pending_review: 'Show it to the person, correct it with edit_listing, then quote_fees and publish_listing.',
  published: 'It is live. Change it with change_live_listing, end it with end_listing; both ask the person.',
  ended: 'relist brings it back for review when the person wants that.',
  sold: 'It is sold.',
  failed: 'Writing failed. Tell the person; untrustedProcessingError says why.',
};

export const getListing = tool({
  name: 'get_listing',
  title: 'Read a listing',
  description:
    'Read one listing with everything the person needs to review it. Reads within 5 seconds answer what was read before.',
  input: z.object({ listingId }),
  output: listingDetail.extend({ ageS, nextStep }),
  hints: hints.reads,
  run: async ({ listingId: id }, context) => {
    const { body, ageS: age } = await readService(context, 'readListing', { params: { listingId: id } });
    const detail = detailOf(body);
    const blocked = detail.status === 'pending_review' && detail.blockers.length > 0;
    return {
      ...detail,
      ageS: age,
      nextStep: blocked
        ? 'Mend what blockers names with edit_listing before you ask to publish.'
        : (entryOf(nextSteps, detail.status) ?? ''),
    };
  },
  summarize: ({ status, photos, blockers }) =>
    `The listing is ${status}, with ${photos} photos and ${blockers.length} blockers.`,
});
