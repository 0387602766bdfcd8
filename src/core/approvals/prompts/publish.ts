import type { FeeAnswer, Listing, ParsedInput } from '../../../contract/index.ts';
import { Problem } from '../../problem.ts';
import { ServiceError } from '../../service/serviceError.ts';
import type { Money } from '../approval.ts';
import { feeNoticeLabel } from '../digests.ts';
import type { Draw, Drawn, Reads } from './prompt.ts';
import { changesIn, feeWords, sheet } from './sheet.ts';

const policyFields = ['marketAccountId', 'fulfillmentPolicyId', 'paymentPolicyId', 'returnPolicyId'] as const;

/** Publish: the listing as it is now, its fee as it is now, and the fee notice on the first publish of a site. */
const publish = async (
  { params, body }: { params: { listingId: string }; body: Record<string, unknown> },
  reads: Reads,
): Promise<Drawn> => {
  const listing = await reads.listing(params.listingId);
  refuseUnpublishable(listing);
  const policies = Object.fromEntries(
    policyFields.flatMap((name) => (typeof body[name] === 'string' ? [[name, body[name]]] : [])),
  );
  const { answer, quotedAt } = await reads.fees(listing.listingId, policies).catch(quoteUnavailable(reads));
  const fee = moneyOf(answer, quotedAt);
  const site = listing.marketplaceId ?? answer.quote?.marketplaceId ?? null;
  const agreed = site === null || (answer.feeNotice?.confirmedSites ?? []).includes(site);
  return sheet(
    {
      act: site ? `Publish on ${site}` : 'Publish',
      consequence: 'The listing goes live at once, for everybody to see and buy.',
      yes: yesOf(fee),
      undo: 'The listing can be ended later. Fees that the marketplace charged are not paid back.',
      listing,
      changes: changesIn(undefined, body),
      money: fee,
      feeNotice: agreed ? null : feeNoticeOf(site),
      first: agreed ? [] : [confirmation(listing.listingId, site)],
      bound: { [feeNoticeLabel]: agreed ? 'agreed' : 'to be agreed' },
    },
    reads,
  );
};

export const drawPublish: Draw<'publishListing'> = publish;
export const drawPublishChannels: Draw<'publishChannels'> = publish;

/** What a person agrees to once for every site. */
export const feeNoticeOf = (site: string): string =>
  `The marketplace ${site} charges its own fees for listings and sales, apart from what this service costs. Your yes agrees to this notice for ${site}, once.`;

const confirmation = (listingId: string, site: string) => ({
  route: 'quoteFees' as const,
  input: { params: { listingId }, body: { action: 'confirm', marketplaceId: site } } satisfies Partial<
    ParsedInput<'quoteFees'>
  >,
});

const refuseUnpublishable = (listing: Listing): void => {
  if (listing.status !== 'pending_review')
    throw new Problem('WRONG_STATE', notReady[listing.status], { field: 'status' });
  const [blocker] = listing.publishBlockers ?? [];
  if (!blocker) return;
  const sentence = blocker.message ?? 'Something is missing before this can be published.';
  throw new Problem('PUBLISH_BLOCKED', sentence, blocker.field ? { field: blocker.field } : {});
};

const notReady: Record<Exclude<Listing['status'], 'pending_review'>, string> = {
  draft: 'This listing is not written yet. It can be published once it has been written and reviewed.',
  processing: 'This listing is being written. It can be published when the writing is done.',
  published: 'This listing is already live.',
  ended: 'This listing has ended. Relist it to publish it again.',
  sold: 'This listing is sold.',
  failed: 'Writing this listing failed. Try it again before publishing.',
};

// A quote that cannot be had is not a reason to hide the prompt: the person is told that the fee is unknown.
const quoteUnavailable =
  (reads: Reads) =>
  (error: unknown): { answer: FeeAnswer; quotedAt: number } => {
    if (!(error instanceof ServiceError) || error.code === 'RECONNECT_NEEDED') throw error;
    const quote = { state: 'unavailable' as const, reason: error.message };
    return { answer: { quote, feeNotice: { confirmedSites: [] } }, quotedAt: reads.now() };
  };

const moneyOf = ({ quote }: FeeAnswer, quotedAt: number): Money => ({
  state: quote?.state ?? 'unavailable',
  currency: quote?.currency ?? null,
  totalMinor: quote?.totalMinor ?? null,
  lines: (quote?.lines ?? []).map(({ name, amountMinor }) => ({ name, amountMinor })),
  reason: quote?.reason ?? null,
  quotedAt,
});

const yesOf = (fee: Money): string => {
  if (fee.state === 'free') return 'Publish free';
  return fee.state === 'fee' && fee.totalMinor !== null ? `Publish for ${feeWords(fee)}` : 'Publish, fee unknown';
};
