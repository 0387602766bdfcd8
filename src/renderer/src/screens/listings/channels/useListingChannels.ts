import { skipToken, useMutation, useQueries, useQuery, useQueryClient } from '@tanstack/react-query';
import {
  type ChannelState,
  channelStatesIn,
  currencyOf,
  type InputOf,
  type ListingStatus,
  marketChannel,
} from '../../../../../contract/index.ts';
import { type Listing, perform, read } from '../../../api/call.ts';
import { numberOf, textOf } from '../../../api/unknownRecord.ts';
import { escapedText } from '../../../components/text/UntrustedText.tsx';
import { formatCents, regionName } from '../../../components/text/format.ts';
import { t } from '../../../i18n.ts';
import { usePrompts } from '../../approvals/useQuestions.ts';
import type { Channel, Connection } from '../../selling/answers.ts';
import { connectionOptionsQuery, useChannels, useConnections } from '../../selling/useSelling.ts';

export type Offered = Channel & { connection: Connection };

/** A channel that a listing is or was on, with its display name. */
export type Place = { channelId: string; name: string; own: boolean; state: ChannelState };

const wasLive: readonly ListingStatus[] = ['published', 'ended', 'sold'];

/** Reads the state of a listing on each channel; skipped if it was never live. */
const useStates = ({ listingId, status }: Listing) =>
  useQuery({
    queryKey: ['listings', listingId, 'channels'],
    queryFn: wasLive.includes(status) ? () => read('readListingChannels', { params: { listingId } }) : skipToken,
    select: channelStatesIn,
  });

export const marketName = ({ marketplaceId }: Pick<Listing, 'marketplaceId'>): string =>
  marketplaceId ? t('listings.channels.onSite', { site: regionName(marketplaceId) }) : t('listings.channels.market');

/** Derives the marketplace's state from the listing, if the channel states do not include it. */
const marketOf = ({ status, marketListingUrl }: Listing): ChannelState => ({
  channelId: marketChannel,
  status,
  isLive: status === 'published',
  isOff: status !== 'published',
  isGone: false,
  fields: { url: marketListingUrl ?? null },
});

const placesOf = (listing: Listing, states: readonly ChannelState[], channels: readonly Channel[]): Place[] => {
  const market = states.find(({ channelId }) => channelId === marketChannel) ?? marketOf(listing);
  const others = states.filter(({ channelId }) => channelId !== marketChannel);
  const nameOf = ({ channelId, fields }: ChannelState): string =>
    channels.find((one) => one.channelId === channelId)?.name ?? textOf(fields, 'name', 'label') ?? channelId;
  return [
    { channelId: marketChannel, name: marketName(listing), own: true, state: market },
    ...others.map((state) => ({
      channelId: state.channelId,
      name: escapedText(nameOf(state)),
      own: false,
      state,
    })),
  ];
};

/** Returns whether stock is left besides the quantity sold on a channel; an unknown quantity counts as one. */
const hasMore = ({ quantity }: Listing, state: ChannelState | undefined): boolean => {
  const isSold = state?.status === 'sold';
  return (quantity ?? 1) > (isSold ? (numberOf(state.fields, 'quantity') ?? 0) : 0);
};

/** Returns the channels of a listing, the channels where it can be published, and the unconnected ones. */
export const useListingChannels = (listing: Listing) => {
  const states = useStates(listing);
  const channels = useChannels();
  const connections = useConnections();
  const known = channels.data ?? [];
  const isPlaced = wasLive.includes(listing.status);
  const areStatesRead = !isPlaced || !states.isPending;
  // The marketplace is known from the listing before the channel states arrive.
  const places = isPlaced && !states.isError ? placesOf(listing, states.data ?? [], known) : [];
  const others = known.filter(({ own }) => !own).map((one) => ({ ...one, name: escapedText(one.name) }));
  const connectionOf = ({ channelId }: Channel): Connection | undefined =>
    connections.data?.find((connection) => connection.channelId === channelId);
  const offeredOn = (channel: Channel): Offered[] => {
    const connection = connectionOf(channel);
    const state = places.find(({ channelId }) => channelId === channel.channelId)?.state;
    const isOffered = state?.isLive !== true && hasMore(listing, state);
    return connection === undefined || !isOffered ? [] : [{ ...channel, connection }];
  };
  const isOpen = listing.status === 'pending_review' || listing.status === 'published';
  const offered = isOpen && areStatesRead ? others.flatMap(offeredOn) : [];
  const options = useQueries({ queries: offered.map(({ connection }) => connectionOptionsQuery(connection)) });
  return {
    places,
    /** Whether every read has finished or failed. */
    isRead: areStatesRead && ![channels, connections, ...options].some(({ isPending }) => isPending),
    /** Whether the listing is live on a channel besides the marketplace. */
    isElsewhere: places.some(({ own, state }) => !own && state.isLive),
    /** Connected channels where the listing is not live and has stock left. */
    offered,
    unconnected: areStatesRead && connections.data ? others.filter((one) => !connectionOf(one)) : [],
    error: states.error ?? channels.error ?? connections.error,
    again: () => void Promise.all([states.refetch(), channels.refetch(), connections.refetch()]),
    busy: states.isFetching,
  };
};

/** Returns the listing with the title, price and so on of a channel, if known. */
export const listingOn = (listing: Listing, { own, state: { fields } }: Place): Listing =>
  own
    ? listing
    : {
        ...listing,
        title: textOf(fields, 'title') ?? listing.title,
        description: textOf(fields, 'description') ?? listing.description,
        price: numberOf(fields, 'price') ?? listing.price,
        quantity: numberOf(fields, 'quantity') ?? listing.quantity,
        sku: textOf(fields, 'sku') ?? listing.sku,
      };

/** Returns the price on another channel if it differs; else null. */
export const otherPrice = (listing: Listing, place: Place): string | null => {
  const { price } = listingOn(listing, place);
  return price === listing.price || typeof price !== 'number' ? null : formatCents(price, currencyOf(listing));
};

type ChannelRoute = 'publishChannels' | 'reviseChannels' | 'endChannels' | 'deleteFromChannels' | 'reviseListing';
type Request = { [N in ChannelRoute]: { route: N; body: InputOf<N>['body'] } }[ChannelRoute];

/** Requests an act on channels of a listing and opens its prompt. */
export const useAskChannels = (listingId: string, onAsked?: () => void) => {
  const { show } = usePrompts();
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ route, body }: Request) => perform(route, { params: { listingId }, body }),
    onSuccess: async (performed) => {
      onAsked?.();
      await client.invalidateQueries({ queryKey: ['approvals'] });
      if (performed.state === 'pending') show(performed.approvalId);
      else await client.invalidateQueries({ queryKey: ['listings', listingId] });
    },
  });
};
