import { useServiceQuery } from '../../api/useCall.ts';
import { queryOptions, useMutation, useQuery } from '@tanstack/react-query';
import type { InputOf, RouteName } from '../../../../contract/index.ts';
import { performRequest, readServiceAnswer } from '../../api/call.ts';
import { useRequestFollowUp } from '../approvals/usePrompts.ts';
import {
  parseMarketAccounts,
  parseQuotaBudgets,
  parseSellingChannels,
  type ChannelConnection,
  parseChannelConnections,
  parseSellerDefaults,
  parsePublishOptions,
  parseListingTemplates,
} from './answers.ts';

type SetupRoute = Extract<
  RouteName,
  | 'disconnectMarket'
  | 'acknowledgeReadiness'
  | 'bootstrapPolicies'
  | 'updateSellerDefaults'
  | 'createTemplate'
  | 'updateTemplate'
  | 'deleteTemplate'
  | 'deleteConnection'
>;

type SetupRequest = { [N in SetupRoute]: { route: N; input: InputOf<N> } }[SetupRoute];

export const useSetupChangeRequest = () => {
  const followUp = useRequestFollowUp();
  return useMutation({
    mutationFn: ({ route, input }: SetupRequest) => performRequest(route, input),
    onSuccess: (performed) => followUp(performed, ['setup']),
  });
};

/** Setup data is read again after a change, or if it is older than a minute when the screen opens. */
const minuteStaleTime = { staleTime: 60_000 } as const;

export const useMarketStatus = () => useServiceQuery(['setup', 'status'], 'readMarketStatus', {}, minuteStaleTime);

export const useMarketAccounts = () =>
  useServiceQuery(['setup', 'accounts'], 'listMarketAccounts', {}, { select: parseMarketAccounts, ...minuteStaleTime });

export const useQuotaBudgets = () =>
  useServiceQuery(['setup', 'budgets'], 'readRateLimits', {}, { select: parseQuotaBudgets, ...minuteStaleTime });

export const useSellerDefaults = () =>
  useServiceQuery(['setup', 'defaults'], 'readSellerDefaults', {}, { select: parseSellerDefaults, ...minuteStaleTime });

export const useListingTemplates = () =>
  useServiceQuery(['setup', 'templates'], 'listTemplates', {}, { select: parseListingTemplates, ...minuteStaleTime });

const channelsQuery = {
  queryKey: ['setup', 'channels'],
  queryFn: () => readServiceAnswer('listChannels', {}),
  select: parseSellingChannels,
};

export const useSellingChannels = () => useQuery(channelsQuery);

/** Returns the maximum title length that all these channels accept; null if unknown. */
export const useTitleLengthLimit = (channelIds: readonly string[]): number | null => {
  const { data } = useQuery({ ...channelsQuery, ...minuteStaleTime, enabled: channelIds.length > 0 });
  const limits = (data ?? [])
    .filter(({ channelId }) => channelIds.includes(channelId))
    .flatMap(({ title }) => title ?? []);
  return limits.length > 0 ? Math.min(...limits) : null;
};

export const useChannelConnections = () =>
  useServiceQuery(
    ['setup', 'connections'],
    'listConnections',
    {},
    { select: parseChannelConnections, ...minuteStaleTime },
  );

export const createConnectionOptionsQuery = ({ channelId, id }: ChannelConnection) =>
  queryOptions({
    queryKey: ['setup', 'options', channelId, id],
    queryFn: () => readServiceAnswer('readConnectionOptions', { params: { channelId, connectionId: id } }),
    select: parsePublishOptions,
    ...minuteStaleTime,
  });
