import type { FeeAnswer, Listing } from '../../../contract/index.ts';
import { Problem } from '../../problem.ts';
import { ServiceError } from '../../service/serviceError.ts';
import { money } from '../../words/money.ts';
import type { Money } from '../approval.ts';
import type { Draw, Reads } from './prompt.ts';
import { boundListing, targetOf } from './target.ts';

const policyFields = ['marketAccountId', 'fulfillmentPolicyId', 'paymentPolicyId', 'returnPolicyId'] as const;

/** Publish: the listing as it is now, its fee as it is now, and the fee notice on the first publish of a site. */
export const drawPublish: Draw<'publishListing'> = async ({ params, body }, reads) => {
  const listing = await reads.listing(params.listingId);
  refuseUnpublishable(listing);
  const policies = Object.fromEntries(
    policyFields.flatMap((name) => (body[name] === undefined ? [] : [[name, body[name]]])),
  );
  const answer = await reads.fees(listing.listingId, policies).catch(quoteUnavailable);
  const fee = moneyOf(answer, reads);
  const site = listing.marketplaceId ?? answer.quote?.marketplaceId ?? null;
  const agreed = site === null || (answer.feeNotice?.confirmedSites ?? []).includes(site);
  return {
    prompt: {
      act: site ? `Publish on ${site}` : 'Publish',
      consequence: 'The listing goes live at once, for everybody to see and buy.',
      target: targetOf(listing, reads),
      changes: [],
      money: fee,
      feeNotice: agreed
        ? null
        : `The marketplace ${site} charges its own fees for listings and sales, apart from what this service costs. Your yes agrees to this notice for ${site}, once.`,
      undo: 'The listing can be ended later. Fees that the marketplace charged are not paid back.',
      final: false,
      yes: yesOf(fee),
    },
    bound: { ...boundListing(listing), ...boundMoney(fee), 'Fee notice': agreed ? 'agreed' : 'to be agreed' },
    first: agreed
      ? []
      : [
          {
            route: 'quoteFees',
            input: { params: { listingId: listing.listingId }, body: { action: 'confirm', marketplaceId: site } },
          },
        ],
  };
};

const refuseUnpublishable = (listing: Listing): void => {
  if (listing.status !== 'pending_review') {
    throw new Problem('WRONG_STATE', notReady[listing.status], { field: 'status' });
  }
  const [blocker] = listing.publishBlockers ?? [];
  if (blocker) {
    throw new Problem('PUBLISH_BLOCKED', blocker.message ?? 'Something is missing before this can be published.', {
      ...(blocker.field ? { field: blocker.field } : {}),
    });
  }
};

const notReady: Record<Exclude<Listing['status'], 'pending_review'> | 'pending_review', string> = {
  draft: 'This listing is not written yet. It can be published once it has been written and reviewed.',
  processing: 'This listing is being written. It can be published when the writing is done.',
  pending_review: 'This listing is ready.',
  published: 'This listing is already live.',
  ended: 'This listing has ended. Relist it to publish it again.',
  sold: 'This listing is sold.',
  failed: 'Writing this listing failed. Try it again before publishing.',
};

// A quote that cannot be had is not a reason to hide the prompt: the person is told that the fee is unknown.
const quoteUnavailable = (error: unknown): FeeAnswer => {
  if (!(error instanceof ServiceError) || error.code === 'RECONNECT_NEEDED') throw error;
  return { quote: { state: 'unavailable', reason: error.message }, feeNotice: { confirmedSites: [] } };
};

const moneyOf = ({ quote }: FeeAnswer, reads: Reads): Money => ({
  state: quote?.state ?? 'unavailable',
  currency: quote?.currency ?? null,
  totalMinor: quote?.totalMinor ?? null,
  lines: (quote?.lines ?? []).map(({ name, amountMinor }) => ({ name, amountMinor })),
  reason: quote?.reason ?? null,
  quotedAt: reads.now(),
});

const boundMoney = (fee: Money): Record<string, string> => ({
  Fee:
    fee.state === 'fee'
      ? money(fee.totalMinor ?? 0, fee.currency)
      : fee.state === 'free'
        ? 'free'
        : 'could not be checked',
  'Fee lines': fee.lines.map(({ name, amountMinor }) => `${name} ${money(amountMinor, fee.currency)}`).join(', '),
});

const yesOf = (fee: Money): string => {
  if (fee.state === 'free') return 'Publish free';
  return fee.state === 'fee' ? `Publish for ${money(fee.totalMinor ?? 0, fee.currency)}` : 'Publish, fee unknown';
};
