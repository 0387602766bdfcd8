import { findListingCurrency, excludesMarketplace, type Listing, type ListingStatus } from '../../../contract/index.ts';
import { createMessage } from '../../../i18n/message.ts';
import type { FieldChange } from '../../storage/tables/approvalRecord.ts';
import {
  createChannelFacts,
  gatherChannels,
  addChannelToLabel,
  formatOtherChannels,
  listOtherChannels,
} from './channels.ts';
import { createListingGatherer, listingPrompts } from './listings.ts';
import { formatPriceOrState } from './mainFact.ts';
import type { PromptDefinition, PromptInput } from './promptDefinition.ts';
import { listBodyChanges, formatSiteOrThisSite, getListingTerms } from './values.ts';

const { reviseListing, endListing } = listingPrompts;

/** A listing that was sold or has ended on the marketplace can still be live on another channel. */
const listAllowedStatuses = (body: unknown): readonly ListingStatus[] =>
  excludesMarketplace(body) ? ['published', 'sold', 'ended'] : ['published'];

/** Returns the values on the marketplace, or on the first named channel if the request excludes the marketplace. */
const getPreviousValues = ({
  listing,
  subject: { context },
  input: { body },
}: PromptInput<'reviseChannels'>): Listing => {
  const [only] = listOtherChannels(context);
  if (!excludesMarketplace(body) || !only) return listing;
  // A field that the channel does not return can differ from the marketplace's value, so it counts as unknown.
  const unread = Object.fromEntries(Object.keys(body).map((field) => [field, undefined]));
  return { ...listing, ...unread, ...only.before };
};

const listChangesOnChannels = ({
  listing,
  subject: { context },
  input: { body },
  names,
}: PromptInput<'reviseChannels'>): FieldChange[] => {
  const others = listOtherChannels(context);
  if (excludesMarketplace(body) && others.length < 2) return [];
  const { channels: _channels, ...fields } = body;
  return others.flatMap(({ channelId, name, before }) =>
    listBodyChanges(before, fields, { ...getListingTerms(listing), names }).map((change) => ({
      ...change,
      ...addChannelToLabel(change, name),
      key: `on ${channelId} ${change.key}`,
    })),
  );
};

const reviseChannels: PromptDefinition<'reviseChannels'> = {
  gather: async ({ params, body }, reads) => {
    const [gathered, context] = await Promise.all([
      createListingGatherer(listAllowedStatuses(body), 'notLive', true)({ params }, reads),
      gatherChannels({ ...params, body, expected: 'live', isMissingAll: true }, reads),
    ]);
    return { ...gathered, context };
  },
  render: (seen) => {
    const channels = formatOtherChannels(seen.subject.context);
    const facts = createChannelFacts(seen.subject.context, getListingTerms(seen.listing));
    const plain = { ...reviseListing.render(seen), unchanging: ['channels'], facts };
    if (channels === null) return plain;
    return {
      ...plain,
      act: excludesMarketplace(seen.input.body)
        ? createMessage('prompts.reviseOn', { channels })
        : createMessage('prompts.reviseOnToo', { site: formatSiteOrThisSite(seen.listing.marketplaceId), channels }),
      before: getPreviousValues(seen),
      changes: listChangesOnChannels(seen),
      currency: findListingCurrency(seen.listing),
    };
  },
};

const endChannels: PromptDefinition<'endChannels'> = {
  gather: async ({ params, body }, reads) => {
    const [gathered, context] = await Promise.all([
      createListingGatherer(listAllowedStatuses(body), 'notToEnd')({ params }, reads),
      gatherChannels({ ...params, body, expected: 'live' }, reads),
    ]);
    return { ...gathered, context };
  },
  render: ({ listing, subject: { context }, input: { body } }) => {
    const channels = formatOtherChannels(context);
    const facts = createChannelFacts(context, getListingTerms(listing));
    const onMarket = { ...endListing.render({ listing }), facts };
    if (channels === null) return onMarket;
    const site = formatSiteOrThisSite(listing.marketplaceId);
    if (!excludesMarketplace(body))
      return { ...onMarket, mainFact: createMessage('prompts.endsOnToo', { site, channels }) };
    return {
      facts,
      mainFact: createMessage('prompts.endsThere', { channels }),
      act: createMessage('prompts.endOn', { channels }),
      consequence: createMessage('prompts.offChannelMeans'),
      yes: createMessage('prompts.endOnYes'),
    };
  },
};

const deleteFromChannels: PromptDefinition<'deleteFromChannels'> = {
  gather: async ({ params, body }, reads) => {
    const [listing, context] = await Promise.all([
      reads.listing(params.listingId),
      gatherChannels({ ...params, body, expected: 'there' }, reads),
    ]);
    return { listing, photos: await reads.photos(listing, false), context };
  },
  render: ({ listing, subject: { context } }) => {
    const channels = formatOtherChannels(context);
    return {
      facts: createChannelFacts(context, getListingTerms(listing)),
      act: channels === null ? createMessage('prompts.offChannel') : createMessage('prompts.removeFrom', { channels }),
      consequence: createMessage('prompts.offChannelMeans'),
      yes: createMessage('prompts.offChannelYes'),
      undo: createMessage('prompts.offChannelUndo'),
      mainFact: formatPriceOrState(listing),
    };
  },
};

export const channelPrompts = { reviseChannels, endChannels, deleteFromChannels };
