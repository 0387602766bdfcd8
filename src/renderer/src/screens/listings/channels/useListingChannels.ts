import { useServiceQuery } from '../../../api/useCall.ts';
import { useMutation, useQueries } from '@tanstack/react-query';
import {
  type ChannelState,
  parseChannelStates,
  findListingCurrency,
  type InputOf,
  type ListingStatus,
  marketChannel,
} from '../../../../../contract/index.ts';
import { type Listing, performRequest } from '../../../api/call.ts';
import { findNumberField, findTextField } from '../../../api/unknownRecord.ts';
import { escapeHiddenText } from '../../../components/text/UntrustedText.tsx';
import { formatCents, getSiteCountryName } from '../../../components/text/format.ts';
import { t } from '../../../i18n.ts';
import { useRequestFollowUp } from '../../approvals/usePrompts.ts';
import type { SellingChannel, ChannelConnection } from '../../selling/answers.ts';
import { createConnectionOptionsQuery, useSellingChannels, useChannelConnections } from '../../selling/useSelling.ts';

export type OfferedChannel = SellingChannel & { connection: ChannelConnection };

/** A channel where the listing is or was live. */
export type ListingChannel = { channelId: string; name: string; own: boolean; state: ChannelState };

const everLiveStatuses: readonly ListingStatus[] = ['published', 'ended', 'sold'];

const useChannelStates = ({ listingId, status }: Listing) =>
  useServiceQuery(
    ['listings', listingId, 'channels'],
    'readListingChannels',
    everLiveStatuses.includes(status) ? { params: { listingId } } : null,
    { select: parseChannelStates },
  );

export const formatMarketName = ({ marketplaceId }: Pick<Listing, 'marketplaceId'>): string =>
  marketplaceId
    ? t('listings.channels.onSite', { site: getSiteCountryName(marketplaceId) })
    : t('listings.channels.market');

const deriveMarketState = ({ status, marketListingUrl }: Listing): ChannelState => ({
  channelId: marketChannel,
  status,
  isLive: status === 'published',
  isOff: status !== 'published',
  isGone: false,
  fields: { url: marketListingUrl ?? null },
});

const listListingChannels = (
  listing: Listing,
  states: readonly ChannelState[],
  channels: readonly SellingChannel[],
): ListingChannel[] => {
  const market = states.find(({ channelId }) => channelId === marketChannel) ?? deriveMarketState(listing);
  const others = states.filter(({ channelId }) => channelId !== marketChannel);
  const getListingChannelName = ({ channelId, fields }: ChannelState): string =>
    channels.find((candidate) => candidate.channelId === channelId)?.name ??
    findTextField(fields, 'name', 'label') ??
    channelId;
  return [
    { channelId: marketChannel, name: formatMarketName(listing), own: true, state: market },
    ...others.map((state) => ({
      channelId: state.channelId,
      name: escapeHiddenText(getListingChannelName(state)),
      own: false,
      state,
    })),
  ];
};

/** An unknown quantity counts as one. */
const hasStockLeft = ({ quantity }: Listing, state: ChannelState | undefined): boolean => {
  const isSold = state?.status === 'sold';
  return (quantity ?? 1) > (isSold ? (findNumberField(state.fields, 'quantity') ?? 0) : 0);
};

export const useListingChannels = (listing: Listing) => {
  const states = useChannelStates(listing);
  const channels = useSellingChannels();
  const connections = useChannelConnections();
  const known = channels.data ?? [];
  const isPlaced = everLiveStatuses.includes(listing.status);
  const areStatesRead = !isPlaced || !states.isPending;
  // The listing contains the state of the marketplace, so the section shows it before the channel states arrive.
  const places = isPlaced && !states.isError ? listListingChannels(listing, states.data ?? [], known) : [];
  const others = known
    .filter(({ own }) => !own)
    .map((candidate) => ({ ...candidate, name: escapeHiddenText(candidate.name) }));
  const findChannelConnection = ({ channelId }: SellingChannel): ChannelConnection | undefined =>
    connections.data?.find((connection) => connection.channelId === channelId);
  const toOfferedChannel = (channel: SellingChannel): OfferedChannel[] => {
    const connection = findChannelConnection(channel);
    const state = places.find(({ channelId }) => channelId === channel.channelId)?.state;
    const isOffered = state?.isLive !== true && hasStockLeft(listing, state);
    return connection === undefined || !isOffered ? [] : [{ ...channel, connection }];
  };
  const isOpen = listing.status === 'pending_review' || listing.status === 'published';
  const offered = isOpen && areStatesRead ? others.flatMap(toOfferedChannel) : [];
  const options = useQueries({ queries: offered.map(({ connection }) => createConnectionOptionsQuery(connection)) });
  return {
    places,
    isRead: areStatesRead && ![channels, connections, ...options].some(({ isPending }) => isPending),
    /** True if the listing is live on a channel other than the marketplace. */
    isElsewhere: places.some(({ own, state }) => !own && state.isLive),
    /** Connected channels where the listing is not live and has stock left. */
    offered,
    unconnected:
      areStatesRead && connections.data ? others.filter((candidate) => !findChannelConnection(candidate)) : [],
    error: states.error ?? channels.error ?? connections.error,
    again: () => void Promise.all([states.refetch(), channels.refetch(), connections.refetch()]),
    busy: states.isFetching,
  };
};

/** Replaces the title, the price and other fields with the values of the channel, if they are known. */
export const toChannelListing = (listing: Listing, { own, state: { fields } }: ListingChannel): Listing =>
  own
    ? listing
    : {
        ...listing,
        title: findTextField(fields, 'title') ?? listing.title,
        description: findTextField(fields, 'description') ?? listing.description,
        price: findNumberField(fields, 'price') ?? listing.price,
        quantity: findNumberField(fields, 'quantity') ?? listing.quantity,
        sku: findTextField(fields, 'sku') ?? listing.sku,
      };

/** Returns null if the channel has the same price as the listing. */
export const formatOtherPrice = (listing: Listing, place: ListingChannel): string | null => {
  const { price } = toChannelListing(listing, place);
  return price === listing.price || typeof price !== 'number' ? null : formatCents(price, findListingCurrency(listing));
};

type ChannelRoute = 'publishChannels' | 'reviseChannels' | 'endChannels' | 'deleteFromChannels' | 'reviseListing';
type ChannelRequest = { [N in ChannelRoute]: { route: N; body: InputOf<N>['body'] } }[ChannelRoute];

export const useChannelActionRequest = (listingId: string, onAsked?: () => void) => {
  const followUp = useRequestFollowUp();
  return useMutation({
    mutationFn: ({ route, body }: ChannelRequest) => performRequest(route, { params: { listingId }, body }),
    onSuccess: (performed) => {
      onAsked?.();
      return followUp(performed, ['listings', listingId]);
    },
  });
};
