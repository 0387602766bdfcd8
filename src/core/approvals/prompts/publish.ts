import type { FeeAnswer, Listing, ParsedInput } from '../../../contract/index.ts';
import { saying, type Saying } from '../../../words/saying.ts';
import { Problem, problem } from '../../problem.ts';
import { ServiceError } from '../../service/serviceError.ts';
import type { Money } from '../approval.ts';
import { feeNoticeLabel } from '../digests.ts';
import type { Draw, Drawn, Reads } from './prompt.ts';
import { changesIn, sheet } from './sheet.ts';

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
  const quoted: Quoted = await reads.fees(listing.listingId, policies).catch(quoteUnavailable(reads));
  const { answer } = quoted;
  const fee = moneyOf(quoted);
  const site = listing.marketplaceId ?? answer.quote?.marketplaceId ?? null;
  const agreed = site === null || (answer.feeNotice?.confirmedSites ?? []).includes(site);
  return sheet(
    {
      act: site ? saying('prompts.publishOn', { site }) : saying('prompts.publish'),
      consequence: saying('prompts.publishMeans'),
      yes: yesOf(fee),
      undo: saying('prompts.publishUndo'),
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
export const feeNoticeOf = (site: string): Saying => saying('prompts.feeNotice', { site });

const confirmation = (listingId: string, site: string) => ({
  route: 'quoteFees' as const,
  input: { params: { listingId }, body: { action: 'confirm', marketplaceId: site } } satisfies Partial<
    ParsedInput<'quoteFees'>
  >,
});

const refuseUnpublishable = (listing: Listing): void => {
  if (listing.status !== 'pending_review') throw problem(`WRONG_STATE.${listing.status}`, { field: 'status' });
  const [blocker] = listing.publishBlockers ?? [];
  if (!blocker) return;
  const field = blocker.field ? { field: blocker.field } : {};
  throw blocker.message ? new Problem('PUBLISH_BLOCKED', blocker.message, field) : problem('PUBLISH_BLOCKED', field);
};

/** `says` is of a reason of ours why there is no quote. */
type Quoted = { answer: FeeAnswer; quotedAt: number; says?: Saying | undefined };

// A quote that cannot be had is not a reason to hide the prompt: the person is told that the fee is unknown.
const quoteUnavailable =
  (reads: Reads) =>
  (error: unknown): Quoted => {
    if (!(error instanceof ServiceError) || error.code === 'RECONNECT_NEEDED') throw error;
    const quote = { state: 'unavailable' as const, reason: error.message };
    return { answer: { quote, feeNotice: { confirmedSites: [] } }, quotedAt: reads.now(), says: error.says };
  };

const moneyOf = ({ answer: { quote }, quotedAt, says }: Quoted): Money => ({
  state: quote?.state ?? 'unavailable',
  currency: quote?.currency ?? null,
  totalMinor: quote?.totalMinor ?? null,
  lines: (quote?.lines ?? []).map(({ name, amountMinor }) => ({ name, amountMinor })),
  reason: quote?.reason ?? null,
  ...(says === undefined ? {} : { says }),
  quotedAt,
});

const yesOf = ({ state, totalMinor, currency }: Money): Saying => {
  if (state === 'free') return saying('prompts.publishFree');
  return state === 'fee' && totalMinor !== null
    ? saying('prompts.publishFor', { fee: { minor: totalMinor, currency } })
    : saying('prompts.publishUnknown');
};
