import { currencyOf, editableStatuses, type Listing, type ListingStatus } from '../../../contract/index.ts';
import { Problem } from '../../problem.ts';
import { money } from '../../words/money.ts';
import type { Change } from '../approval.ts';
import type { Draw, Drawn, Reads } from './prompt.ts';
import { feeNoticeOf } from './publish.ts';
import { changesIn, sheet } from './sheet.ts';

/** Reads the listing and refuses what the service would refuse anyway: one that is in another state. */
const readIn = async (
  { listingId }: { listingId: string },
  reads: Reads,
  states: readonly ListingStatus[],
  refusal: string,
): Promise<Listing> => {
  const listing = await reads.listing(listingId);
  if (!states.includes(listing.status)) throw new Problem('WRONG_STATE', refusal, { field: 'status' });
  return listing;
};

/** Before and after of a listing's fields, prices with their currency. */
const changesOf = (listing: Listing, body: unknown): Change[] => {
  const currency = currencyOf(listing);
  const priced = (label: string, text: string): string =>
    /(^price|Cents)$/.test(label) && /^\d+$/.test(text) ? money(Number(text), currency) : text;
  return changesIn(listing, body).map(({ label, before, after }) => ({
    label,
    before: priced(label, before),
    after: priced(label, after),
  }));
};

type ListingInput = { params: { listingId: string }; body: unknown };
const notLive = 'This listing is not live, so there is nothing to change on the marketplace.';

const revise = async ({ params, body }: ListingInput, reads: Reads): Promise<Drawn> => {
  const listing = await readIn(params, reads, ['published'], notLive);
  return sheet(
    {
      act: 'Change the live listing',
      consequence: 'Buyers see the change at once.',
      yes: 'Change it live',
      undo: 'It can be changed again later.',
      listing,
      changes: changesOf(listing, body),
    },
    reads,
  );
};

const end = async ({ params, body }: ListingInput, reads: Reads): Promise<Drawn> => {
  const listing = await readIn(params, reads, ['published'], 'This listing is not live, so it cannot be ended.');
  return sheet(
    {
      act: 'End the live listing',
      consequence:
        'It is taken off the marketplace at once. Relisting it later makes a new marketplace listing, with new fees.',
      yes: 'End for good',
      listing,
      changes: changesIn(undefined, body),
    },
    reads,
  );
};

const edit: Draw<'updateListing'> = async ({ params, body }, reads) => {
  const refusal = 'This listing is or was live, so it cannot be edited this way. Change the live listing instead.';
  const listing = await readIn(params, reads, editableStatuses, refusal);
  return sheet(
    {
      act: 'Set Best Offer',
      consequence: 'Buyers may offer less than the price. An automatic acceptance sells without asking you again.',
      yes: 'Save Best Offer',
      undo: 'It can be changed until the listing is published.',
      listing,
      changes: changesOf(listing, body),
    },
    reads,
  );
};

const remove: Draw<'deleteListing'> = async ({ params }, reads) => {
  const refusal = 'A listing that is or was live cannot be deleted.';
  const listing = await readIn(params, reads, editableStatuses, refusal);
  return sheet(
    {
      act: 'Delete the listing',
      consequence: 'Its text and its photos at the service are gone. Your own photos stay.',
      yes: 'Delete for good',
      listing,
    },
    reads,
  );
};

const generate: Draw<'generateListing'> = async ({ params, body }, reads) => {
  const refusal = 'Only a draft can be written. Take a failed listing back first.';
  const listing = await readIn(params, reads, ['draft'], refusal);
  const { allowance } = await reads.plain('readStanding');
  const left = allowance.remaining + allowance.creditBalance;
  return sheet(
    {
      act: 'Write the listing again',
      consequence: `It was written before. Writing it again uses one more listing; ${left} are left.`,
      yes: 'Write again, use one more listing',
      undo: 'The text can be edited. The listing that it uses does not come back.',
      listing,
      changes: changesIn(undefined, body),
    },
    reads,
  );
};

const removeFromChannels: Draw<'deleteFromChannels'> = async ({ params, body }, reads) =>
  sheet(
    {
      act: 'Remove the listing from a channel',
      consequence: 'It is taken off that channel. The marketplace is not touched.',
      yes: 'Remove it',
      undo: 'It can be published there again.',
      listing: await reads.listing(params.listingId),
      changes: changesIn(undefined, body),
    },
    reads,
  );

const agreeToFees: Draw<'quoteFees'> = async ({ params, body }, reads) => {
  const listing = await reads.listing(params.listingId);
  const site = body.marketplaceId ?? listing.marketplaceId ?? 'this site';
  return sheet(
    {
      act: `Agree to the fee notice of ${site}`,
      consequence: feeNoticeOf(site),
      yes: 'Agree to the fee notice',
      undo: 'Agreeing charges nothing. Every publish still asks.',
      listing,
    },
    reads,
  );
};

/** Prompts of acts on listings. */
export const listingPrompts = {
  updateListing: edit,
  deleteListing: remove,
  generateListing: generate,
  reviseListing: revise satisfies Draw<'reviseListing'>,
  reviseChannels: revise satisfies Draw<'reviseChannels'>,
  endListing: end satisfies Draw<'endListing'>,
  endChannels: end satisfies Draw<'endChannels'>,
  deleteFromChannels: removeFromChannels,
  quoteFees: agreeToFees,
};
