import {
  findListingCurrency,
  editableStatuses,
  type Listing,
  type ListingStatus,
  type ParsedInput,
} from '../../../contract/index.ts';
import { createProblem } from '../../base/problem.ts';
import type { PromptFact } from '../../storage/tables/approvalRecord.ts';
import { formatEnglishText, formatEnglishMessage } from '../../../i18n/english.ts';
import { createMessage } from '../../../i18n/message.ts';
import { createServiceCharge } from './renderPromptContent.ts';
import { formatPriceOrState } from './mainFact.ts';
import type { PromptDefinition, Reads, PromptInput } from './promptDefinition.ts';
import { createFeeNotice } from './publish.ts';
import { createAmountMessage, createFactLabel, formatSiteOrThisSite, formatFieldValue } from './values.ts';

const readListingInState = async (
  { listingId }: { listingId: string },
  reads: Reads,
  states: readonly ListingStatus[],
  refusal: 'notLive' | 'notToEnd' | 'notToEdit' | 'notToDelete' | 'notToWrite',
): Promise<Listing> => {
  const listing = await reads.listing(listingId);
  if (!states.includes(listing.status)) throw createProblem(`WRONG_STATE.${refusal}`, { field: 'status' });
  return listing;
};

type ListingParams = { params: { listingId: string } };

/** Creates a function that reads the listing and its photos. If `needed` is set, every photo must be readable. */
export const createListingGatherer =
  (states: readonly ListingStatus[], refusal: Parameters<typeof readListingInState>[3], needed = false) =>
  async ({ params }: ListingParams, reads: Reads) => {
    const listing = await readListingInState(params, reads, states, refusal);
    return { listing, photos: await reads.photos(listing, needed) };
  };

const revisePrompt = {
  gather: createListingGatherer(['published'], 'notLive', true),
  render: ({ listing }: Pick<PromptInput<'reviseListing'>, 'listing'>) => ({
    act: createMessage('prompts.revise'),
    consequence: createMessage('prompts.reviseMeans'),
    yes: createMessage('prompts.reviseYes'),
    undo: createMessage('prompts.again'),
    before: listing,
    currency: findListingCurrency(listing),
  }),
};

const endPrompt = {
  gather: createListingGatherer(['published'], 'notToEnd'),
  render: ({ listing }: Pick<PromptInput<'endListing'>, 'listing'>) => ({
    act: createMessage('prompts.end'),
    consequence: createMessage('prompts.endMeans'),
    yes: createMessage('prompts.endYes'),
    mainFact: createMessage('prompts.endsOn', { site: formatSiteOrThisSite(listing.marketplaceId) }),
  }),
};

const offerTexts = {
  act: createMessage('prompts.bestOffer'),
  consequence: createMessage('prompts.bestOfferMeans'),
  yes: createMessage('prompts.bestOfferYes'),
} as const;

const formatTexts = {
  act: createMessage('prompts.format'),
  consequence: createMessage('prompts.formatMeans'),
  yes: createMessage('prompts.formatYes'),
} as const;

/** If an edit turns offers on, the prompt says so, because an accepted offer sells the item without asking again. */
const editPrompt: PromptDefinition<'updateListing'> = {
  gather: createListingGatherer(editableStatuses, 'notToEdit'),
  render: ({ listing, input: { body } }) => ({
    ...(body.format !== undefined && body.bestOffer?.enabled !== true ? formatTexts : offerTexts),
    undo: createMessage('prompts.bestOfferUndo'),
    before: listing,
    currency: findListingCurrency(listing),
  }),
};

const deletePrompt: PromptDefinition<'deleteListing'> = {
  gather: async (input, reads) => {
    const gathered = await createListingGatherer(editableStatuses, 'notToDelete')(input, reads);
    // A listing that was relisted was live before, even if it is under review now.
    if (reads.wentLive(gathered.listing.listingId)) throw createProblem('WRONG_STATE.notToDelete', { field: 'status' });
    return gathered;
  },
  render: ({ listing }) => ({
    act: createMessage('prompts.remove'),
    consequence: createMessage('prompts.removeMeans'),
    yes: createMessage('prompts.removeYes'),
    mainFact: formatPriceOrState(listing),
  }),
};

/** Returns the price of an extra in cents; null if the plan or credits cover this generation. */
const getExtraRate = ({ subject }: PromptInput<'generateListing'>): number | null => {
  const { rateCents } = subject.context;
  return typeof rateCents === 'number' ? rateCents : null;
};

/** Returns whose extras the next generation uses; an empty string means the person. */
const createExtrasAskerContext = (reads: Reads): { heldFor?: string } => {
  const [newest] = reads.extras();
  return newest ? { heldFor: newest.asker } : {};
};

const createExtrasAskerFacts = ({ heldFor: asker }: Record<string, unknown>): PromptFact[] => {
  if (typeof asker !== 'string') return [];
  const fact = { namespace: 'account' as const, key: 'heldFor', ...createFactLabel('setAsideFor') };
  return asker === ''
    ? [{ ...fact, value: formatEnglishText('values.you'), says: createMessage('values.you') }]
    : [{ ...fact, value: asker }];
};

/** The person is asked because a repeated generation uses up another listing of the plan, and an extra costs money. */
const generatePrompt: PromptDefinition<'generateListing'> = {
  gather: async ({ params, body }: ParsedInput<'generateListing'>, reads) => {
    const listing = await readListingInState(params, reads, ['draft'], 'notToWrite');
    const [{ allowance }, photos] = await Promise.all([reads.plain('readStanding'), reads.photos(listing, false)]);
    const kind = allowance.nextListing?.kind ?? null;
    const isExtra = kind === 'extra' || body.extrasApprovalId !== undefined;
    if (kind === 'extras_approval_required') throw createProblem('EXTRAS_APPROVAL_REQUIRED');
    const rateCents = allowance.extras?.rateCents ?? null;
    // Without a known amount, the person would approve any amount.
    if (kind === 'extra' && rateCents === null) throw createProblem('EXTRAS_UNAVAILABLE.noPrice');
    return {
      listing,
      photos,
      context: {
        kind,
        ...(isExtra ? { rateCents, ...createExtrasAskerContext(reads) } : {}),
      },
      moment: { readAt: reads.now(), reason: null, left: allowance.remaining + allowance.creditBalance },
    };
  },
  render: (seen) => {
    const rateCents = getExtraRate(seen);
    if (rateCents === null) {
      const { left = 0 } = seen.moment;
      return {
        act: createMessage('prompts.write'),
        consequence: createMessage('prompts.writeMeans', { left }),
        yes: createMessage('prompts.writeYes'),
        undo: createMessage('prompts.writeUndo'),
        mainFact: createMessage('prompts.listingsLeft', { left }),
      };
    }
    const rate = { minor: rateCents, currency: 'USD' };
    const line = createMessage('prompts.extraLine');
    return {
      act: createMessage('prompts.writeExtra'),
      // The service uses the plan and credits first. If the request names an extras approval, the prompt still states
      // the price.
      consequence: createMessage(
        seen.subject.context['kind'] === 'extra' ? 'prompts.writeExtraMeans' : 'prompts.writeNamedExtraMeans',
        { rate },
      ),
      yes: createMessage('prompts.writeExtraYes', { rate }),
      undo: createMessage('prompts.writeUndo'),
      mainFact: createAmountMessage(rateCents, 'USD'),
      facts: createExtrasAskerFacts(seen.subject.context),
      money: createServiceCharge(
        [{ name: formatEnglishMessage(line), says: line, amountMinor: rateCents }],
        seen.moment,
      ),
    };
  },
};

const feeAgreementPrompt: PromptDefinition<'quoteFees'> = {
  gather: async ({ params }, reads) => {
    const listing = await reads.listing(params.listingId);
    return { listing, photos: await reads.photos(listing, false) };
  },
  render: ({ listing, input: { body } }) => {
    const site = body.marketplaceId ?? listing.marketplaceId;
    return {
      act: createMessage('prompts.agree', { site: formatSiteOrThisSite(site) }),
      consequence: createFeeNotice(site),
      yes: createMessage('prompts.agreeYes'),
      undo: createMessage('prompts.agreeUndo'),
      mainFact: formatFieldValue('marketplaceId', site).says ?? null,
    };
  },
};

export const listingPrompts = {
  updateListing: editPrompt,
  deleteListing: deletePrompt,
  generateListing: generatePrompt,
  reviseListing: revisePrompt satisfies PromptDefinition<'reviseListing'>,
  endListing: endPrompt satisfies PromptDefinition<'endListing'>,
  quoteFees: feeAgreementPrompt,
};
