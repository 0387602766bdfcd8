import { currencyOf, editableStatuses, type Listing, type ListingStatus } from '../../../contract/index.ts';
import { english } from '../../../words/inEnglish.ts';
import { saying, type Saying } from '../../../words/saying.ts';
import { problem } from '../../problem.ts';
import { money } from '../../words/money.ts';
import type { Change } from '../approval.ts';
import type { Draw, Drawn, Reads } from './prompt.ts';
import { feeNoticeOf } from './publish.ts';
import { changesIn, sheet } from './sheet.ts';
import { amount } from './target.ts';

/** Reads the listing and refuses what the service would refuse anyway: one that is in another state. */
const readIn = async (
  { listingId }: { listingId: string },
  reads: Reads,
  states: readonly ListingStatus[],
  refusal: 'notLive' | 'notToEnd' | 'notToEdit' | 'notToDelete' | 'notToWrite',
): Promise<Listing> => {
  const listing = await reads.listing(listingId);
  if (!states.includes(listing.status)) throw problem(`WRONG_STATE.${refusal}`, { field: 'status' });
  return listing;
};

const priced = (text: string, currency: string | null): { text: string; says: Saying | undefined } =>
  /^\d+$/.test(text)
    ? { text: money(Number(text), currency), says: amount(Number(text), currency) }
    : { text, says: undefined };

/** Before and after of a listing's fields, prices with their currency. */
const changesOf = (listing: Listing, body: unknown): Change[] => {
  const currency = currencyOf(listing);
  return changesIn(listing, body).map((change) => {
    if (!/(^price|Cents)$/.test(change.label)) return change;
    const [before, after] = [priced(change.before, currency), priced(change.after, currency)];
    return {
      label: change.label,
      before: before.text,
      after: after.text,
      says: { before: before.says, after: after.says },
    };
  });
};

type ListingInput = { params: { listingId: string }; body: unknown };

const revise = async ({ params, body }: ListingInput, reads: Reads): Promise<Drawn> => {
  const listing = await readIn(params, reads, ['published'], 'notLive');
  return sheet(
    {
      act: saying('prompts.revise'),
      consequence: saying('prompts.reviseMeans'),
      yes: saying('prompts.reviseYes'),
      undo: saying('prompts.again'),
      listing,
      changes: changesOf(listing, body),
    },
    reads,
  );
};

const end = async ({ params, body }: ListingInput, reads: Reads): Promise<Drawn> => {
  const listing = await readIn(params, reads, ['published'], 'notToEnd');
  return sheet(
    {
      act: saying('prompts.end'),
      consequence: saying('prompts.endMeans'),
      yes: saying('prompts.endYes'),
      listing,
      changes: changesIn(undefined, body),
    },
    reads,
  );
};

const offersAct = {
  act: saying('prompts.bestOffer'),
  consequence: saying('prompts.bestOfferMeans'),
  yes: saying('prompts.bestOfferYes'),
} as const;

const formatAct = {
  act: saying('prompts.format'),
  consequence: saying('prompts.formatMeans'),
  yes: saying('prompts.formatYes'),
} as const;

/** Offers that are turned on speak for themselves, whatever else changes: they can sell without asking again. */
const edit: Draw<'updateListing'> = async ({ params, body }, reads) => {
  const listing = await readIn(params, reads, editableStatuses, 'notToEdit');
  const isFormatOnly = body.format !== undefined && body.bestOffer?.enabled !== true;
  return sheet(
    {
      ...(isFormatOnly ? formatAct : offersAct),
      undo: saying('prompts.bestOfferUndo'),
      listing,
      changes: changesOf(listing, body),
    },
    reads,
  );
};

const remove: Draw<'deleteListing'> = async ({ params }, reads) => {
  const listing = await readIn(params, reads, editableStatuses, 'notToDelete');
  return sheet(
    {
      act: saying('prompts.remove'),
      consequence: saying('prompts.removeMeans'),
      yes: saying('prompts.removeYes'),
      listing,
    },
    reads,
  );
};

const generate: Draw<'generateListing'> = async ({ params, body }, reads) => {
  const listing = await readIn(params, reads, ['draft'], 'notToWrite');
  const { allowance } = await reads.plain('readStanding');
  const left = allowance.remaining + allowance.creditBalance;
  return sheet(
    {
      act: saying('prompts.write'),
      consequence: saying('prompts.writeMeans', { left }),
      yes: saying('prompts.writeYes'),
      undo: saying('prompts.writeUndo'),
      listing,
      changes: changesIn(undefined, body),
    },
    reads,
  );
};

const removeFromChannels: Draw<'deleteFromChannels'> = async ({ params, body }, reads) =>
  sheet(
    {
      act: saying('prompts.offChannel'),
      consequence: saying('prompts.offChannelMeans'),
      yes: saying('prompts.offChannelYes'),
      undo: saying('prompts.offChannelUndo'),
      listing: await reads.listing(params.listingId),
      changes: changesIn(undefined, body),
    },
    reads,
  );

const agreeToFees: Draw<'quoteFees'> = async ({ params, body }, reads) => {
  const listing = await reads.listing(params.listingId);
  const site = body.marketplaceId ?? listing.marketplaceId ?? english('prompts.thisSite');
  return sheet(
    {
      act: saying('prompts.agree', { site }),
      consequence: feeNoticeOf(site),
      yes: saying('prompts.agreeYes'),
      undo: saying('prompts.agreeUndo'),
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
