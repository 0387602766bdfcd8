import { currencyOf, leavesMarketplace, type Listing, type ListingStatus } from '../../../contract/index.ts';
import { message } from '../../../i18n/message.ts';
import type { Change } from '../../storage/tables/approvalRecord.ts';
import { channelFacts, gatherChannels, labelOn, otherChannels, othersIn } from './channels.ts';
import { gatherIn, listingActs } from './listings.ts';
import { priceOrState } from './mainFact.ts';
import type { Act, Seen } from './prompt.ts';
import { changesIn, siteOr } from './values.ts';

const { reviseListing, endListing } = listingActs;

/** A listing that sold on one channel may still be live on another. */
const statesFor = (body: unknown): readonly ListingStatus[] =>
  leavesMarketplace(body) ? ['published', 'sold', 'ended'] : ['published'];

/** Returns the values on the only channel of the request; for several channels those of the marketplace. */
const beforeOn = ({ listing, subject: { context }, input: { body } }: Seen<'reviseChannels'>): Listing => {
  const [only] = othersIn(context);
  if (!leavesMarketplace(body) || !only) return listing;
  // A field that the channel does not return need not equal the marketplace's value.
  const unread = Object.fromEntries(Object.keys(body).map((field) => [field, undefined]));
  return { ...listing, ...unread, ...only.before };
};

/**
 * Returns what a revision of several places replaces on each channel, where texts and prices may differ from the
 * marketplace.
 */
const changesElsewhere = ({
  listing,
  subject: { context },
  input: { body },
  names,
}: Seen<'reviseChannels'>): Change[] => {
  const others = othersIn(context);
  if (leavesMarketplace(body) && others.length < 2) return [];
  const { channels: _channels, ...fields } = body;
  return others.flatMap(({ channelId, name, before }) =>
    changesIn(before, fields, currencyOf(listing), names).map((change) => ({
      ...change,
      ...labelOn(change, name),
      key: `on ${channelId} ${change.key}`,
    })),
  );
};

const reviseChannels: Act<'reviseChannels'> = {
  gather: async ({ params, body }, reads) => {
    const [gathered, context] = await Promise.all([
      gatherIn(statesFor(body), 'notLive', true)({ params }, reads),
      gatherChannels({ ...params, body, wanted: 'live', silentMeansAll: true }, reads),
    ]);
    return { ...gathered, context };
  },
  sheet: (seen) => {
    const channels = otherChannels(seen.subject.context);
    const facts = channelFacts(seen.subject.context, currencyOf(seen.listing));
    const plain = { ...reviseListing.sheet(seen), unchanging: ['channels'], facts };
    if (channels === null) return plain;
    return {
      ...plain,
      act: leavesMarketplace(seen.input.body)
        ? message('prompts.reviseOn', { channels })
        : message('prompts.reviseOnToo', { site: siteOr(seen.listing.marketplaceId), channels }),
      before: beforeOn(seen),
      changes: changesElsewhere(seen),
      currency: currencyOf(seen.listing),
    };
  },
};

const endChannels: Act<'endChannels'> = {
  gather: async ({ params, body }, reads) => {
    const [gathered, context] = await Promise.all([
      gatherIn(statesFor(body), 'notToEnd')({ params }, reads),
      gatherChannels({ ...params, body, wanted: 'live' }, reads),
    ]);
    return { ...gathered, context };
  },
  sheet: ({ listing, subject: { context }, input: { body } }) => {
    const channels = otherChannels(context);
    const facts = channelFacts(context, currencyOf(listing));
    const onMarket = { ...endListing.sheet({ listing }), facts };
    if (channels === null) return onMarket;
    const site = siteOr(listing.marketplaceId);
    if (!leavesMarketplace(body)) return { ...onMarket, mainFact: message('prompts.endsOnToo', { site, channels }) };
    return {
      facts,
      mainFact: message('prompts.endsThere', { channels }),
      act: message('prompts.endOn', { channels }),
      consequence: message('prompts.offChannelMeans'),
      yes: message('prompts.endOnYes'),
    };
  },
};

const deleteFromChannels: Act<'deleteFromChannels'> = {
  gather: async ({ params, body }, reads) => {
    const [listing, context] = await Promise.all([
      reads.listing(params.listingId),
      gatherChannels({ ...params, body, wanted: 'there' }, reads),
    ]);
    return { listing, photos: await reads.photos(listing, false), context };
  },
  sheet: ({ listing, subject: { context } }) => {
    const channels = otherChannels(context);
    return {
      facts: channelFacts(context, currencyOf(listing)),
      act: channels === null ? message('prompts.offChannel') : message('prompts.removeFrom', { channels }),
      consequence: message('prompts.offChannelMeans'),
      yes: message('prompts.offChannelYes'),
      undo: message('prompts.offChannelUndo'),
      mainFact: priceOrState(listing),
    };
  },
};

/** Acts on the channels of a listing. A publish on channels is in `publish.ts`. */
export const channelActs = { reviseChannels, endChannels, deleteFromChannels };
