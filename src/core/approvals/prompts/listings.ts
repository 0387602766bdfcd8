import {
  currencyOf,
  editableStatuses,
  type Listing,
  type ListingStatus,
  type ParsedInput,
} from '../../../contract/index.ts';
import { problem } from '../../base/problem.ts';
import type { Fact } from '../../storage/tables/approvalRecord.ts';
import { englishText, formatEnglish } from '../../../i18n/english.ts';
import { message } from '../../../i18n/message.ts';
import { charge } from './draw.ts';
import { priceOrState } from './mainFact.ts';
import type { Act, Reads, Seen } from './prompt.ts';
import { feeNoticeOf } from './publish.ts';
import { amount, ownLabel, siteOr, valueText } from './values.ts';

/** Reads the listing. Throws if its state does not allow the act, as the service would. */
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

type Params = { params: { listingId: string } };

/** Gathers the listing and its photos. Only acts that put something live need every photo to be readable. */
export const gatherIn =
  (states: readonly ListingStatus[], refusal: Parameters<typeof readIn>[3], needed = false) =>
  async ({ params }: Params, reads: Reads) => {
    const listing = await readIn(params, reads, states, refusal);
    return { listing, photos: await reads.photos(listing, needed) };
  };

const revise = {
  gather: gatherIn(['published'], 'notLive', true),
  sheet: ({ listing }: Pick<Seen<'reviseListing'>, 'listing'>) => ({
    act: message('prompts.revise'),
    consequence: message('prompts.reviseMeans'),
    yes: message('prompts.reviseYes'),
    undo: message('prompts.again'),
    before: listing,
    currency: currencyOf(listing),
  }),
};

const end = {
  gather: gatherIn(['published'], 'notToEnd'),
  sheet: ({ listing }: Pick<Seen<'endListing'>, 'listing'>) => ({
    act: message('prompts.end'),
    consequence: message('prompts.endMeans'),
    yes: message('prompts.endYes'),
    mainFact: message('prompts.endsOn', { site: siteOr(listing.marketplaceId) }),
  }),
};

const offersAct = {
  act: message('prompts.bestOffer'),
  consequence: message('prompts.bestOfferMeans'),
  yes: message('prompts.bestOfferYes'),
} as const;

const formatAct = {
  act: message('prompts.format'),
  consequence: message('prompts.formatMeans'),
  yes: message('prompts.formatYes'),
} as const;

/** The prompt is about offers if they are turned on, whatever else changes: an accepted offer sells without asking again. */
const edit: Act<'updateListing'> = {
  gather: gatherIn(editableStatuses, 'notToEdit'),
  sheet: ({ listing, input: { body } }) => ({
    ...(body.format !== undefined && body.bestOffer?.enabled !== true ? formatAct : offersAct),
    undo: message('prompts.bestOfferUndo'),
    before: listing,
    currency: currencyOf(listing),
  }),
};

const remove: Act<'deleteListing'> = {
  gather: async (input, reads) => {
    const gathered = await gatherIn(editableStatuses, 'notToDelete')(input, reads);
    // A relisted listing under review was live before, whatever its status is now.
    if (reads.wentLive(gathered.listing.listingId)) throw problem('WRONG_STATE.notToDelete', { field: 'status' });
    return gathered;
  },
  sheet: ({ listing }) => ({
    act: message('prompts.remove'),
    consequence: message('prompts.removeMeans'),
    yes: message('prompts.removeYes'),
    mainFact: priceOrState(listing),
  }),
};

/** Returns the price of the extra that pays for this generation; null if the plan or credits pay for it. */
const extraRate = ({ subject }: Seen<'generateListing'>): number | null => {
  const { rateCents } = subject.context;
  return typeof rateCents === 'number' ? rateCents : null;
};

/** Returns the asker of the extras that pay for the next one; empty for the person. */
const heldFor = (reads: Reads): { heldFor?: string } => {
  const [newest] = reads.extras();
  return newest ? { heldFor: newest.asker } : {};
};

const heldForFacts = ({ heldFor: asker }: Record<string, unknown>): Fact[] => {
  if (typeof asker !== 'string') return [];
  const fact = { namespace: 'account' as const, key: 'heldFor', ...ownLabel('setAsideFor') };
  return asker === ''
    ? [{ ...fact, value: englishText('values.you'), says: message('values.you') }]
    : [{ ...fact, value: asker }];
};

/** A repeated generation uses up another listing; a generation paid by an extra costs money. */
const generate: Act<'generateListing'> = {
  gather: async ({ params, body }: ParsedInput<'generateListing'>, reads) => {
    const listing = await readIn(params, reads, ['draft'], 'notToWrite');
    const [{ allowance }, photos] = await Promise.all([reads.plain('readStanding'), reads.photos(listing, false)]);
    const kind = allowance.nextListing?.kind ?? null;
    const isExtra = kind === 'extra' || body.extrasApprovalId !== undefined;
    if (kind === 'extras_approval_required') throw problem('EXTRAS_APPROVAL_REQUIRED');
    const rateCents = allowance.extras?.rateCents ?? null;
    // Approving a charge without a known amount would approve any amount.
    if (kind === 'extra' && rateCents === null) throw problem('EXTRAS_UNAVAILABLE.noPrice');
    return {
      listing,
      photos,
      context: {
        kind,
        ...(isExtra ? { rateCents, ...heldFor(reads) } : {}),
      },
      moment: { readAt: reads.now(), reason: null, left: allowance.remaining + allowance.creditBalance },
    };
  },
  sheet: (seen) => {
    const rateCents = extraRate(seen);
    if (rateCents === null) {
      const { left = 0 } = seen.moment;
      return {
        act: message('prompts.write'),
        consequence: message('prompts.writeMeans', { left }),
        yes: message('prompts.writeYes'),
        undo: message('prompts.writeUndo'),
        mainFact: message('prompts.listingsLeft', { left }),
      };
    }
    const rate = { minor: rateCents, currency: 'USD' };
    const line = message('prompts.extraLine');
    return {
      act: message('prompts.writeExtra'),
      // The service uses plan and credits first. If the request names an extras approval anyway, the prompt still states
      // its price.
      consequence: message(
        seen.subject.context['kind'] === 'extra' ? 'prompts.writeExtraMeans' : 'prompts.writeNamedExtraMeans',
        { rate },
      ),
      yes: message('prompts.writeExtraYes', { rate }),
      undo: message('prompts.writeUndo'),
      mainFact: amount(rateCents, 'USD'),
      facts: heldForFacts(seen.subject.context),
      money: charge([{ name: formatEnglish(line), says: line, amountMinor: rateCents }], seen.moment),
    };
  },
};

const agreeToFees: Act<'quoteFees'> = {
  gather: async ({ params }, reads) => {
    const listing = await reads.listing(params.listingId);
    return { listing, photos: await reads.photos(listing, false) };
  },
  sheet: ({ listing, input: { body } }) => {
    const site = body.marketplaceId ?? listing.marketplaceId;
    return {
      act: message('prompts.agree', { site: siteOr(site) }),
      consequence: feeNoticeOf(site),
      yes: message('prompts.agreeYes'),
      undo: message('prompts.agreeUndo'),
      mainFact: valueText('marketplaceId', site, null).says ?? null,
    };
  },
};

/** Acts on listings; acts on their channels are in `channelActs.ts`. */
export const listingActs = {
  updateListing: edit,
  deleteListing: remove,
  generateListing: generate,
  reviseListing: revise satisfies Act<'reviseListing'>,
  endListing: end satisfies Act<'endListing'>,
  quoteFees: agreeToFees,
};
