import { queryOptions, useMutation, useQueryClient, useQuery } from '@tanstack/react-query';
import type { InputOf, RouteName } from '../../../../contract/index.ts';
import { performRequest, readServiceAnswer } from '../../api/call.ts';
import { usePromptControls } from '../approvals/usePrompts.ts';
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
  const { show } = usePromptControls();
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ route, input }: SetupRequest) => performRequest(route, input),
    onSuccess: async (performed) => {
      await client.invalidateQueries({ queryKey: ['approvals'] });
      if (performed.state === 'pending') show(performed.approvalId);
      else await client.invalidateQueries({ queryKey: ['setup'] });
    },
  });
};

/** Setup data is read again after a change, or if it is older than a minute when the screen opens. */
const minuteStaleTime = { staleTime: 60_000 } as const;

export const useMarketStatus = () =>
  useQuery({
    queryKey: ['setup', 'status'],
    queryFn: () => readServiceAnswer('readMarketStatus', {}),
    ...minuteStaleTime,
  });

export const useMarketAccounts = () =>
  useQuery({
    queryKey: ['setup', 'accounts'],
    queryFn: () => readServiceAnswer('listMarketAccounts', {}),
    select: parseMarketAccounts,
    ...minuteStaleTime,
  });

export const useQuotaBudgets = () =>
  useQuery({
    queryKey: ['setup', 'budgets'],
    queryFn: () => readServiceAnswer('readRateLimits', {}),
    select: parseQuotaBudgets,
    ...minuteStaleTime,
  });

export const useSellerDefaults = () =>
  useQuery({
    queryKey: ['setup', 'defaults'],
    queryFn: () => readServiceAnswer('readSellerDefaults', {}),
    select: parseSellerDefaults,
    ...minuteStaleTime,
  });

export const useListingTemplates = () =>
  useQuery({
    queryKey: ['setup', 'templates'],
    queryFn: () => readServiceAnswer('listTemplates', {}),
    select: parseListingTemplates,
    ...minuteStaleTime,
  });

const channelsQuery = {
  queryKey: ['setup', 'channels'],
  queryFn: () => readServiceAnswer('listChannels', {}),
  select: parseSellingChannels,
};

export const useSellingChannels = () => useQuery(channelsQuery);

/** Returns the length that all these channels accept; null if unknown. */
export const useTitleLengthLimit = (channelIds: readonly string[]): number | null => {
  const { data } = useQuery({ ...channelsQuery, ...minuteStaleTime, enabled: channelIds.length > 0 });
  const limits = (data ?? [])
    .filter(({ channelId }) => channelIds.includes(channelId))
    .flatMap(({ title }) => title ?? []);
  return limits.length > 0 ? Math.min(...limits) : null;
};

export const useChannelConnections = () =>
  useQuery({
    queryKey: ['setup', 'connections'],
    queryFn: () => readServiceAnswer('listConnections', {}),
    select: parseChannelConnections,
    ...minuteStaleTime,
  });

export const createConnectionOptionsQuery = ({ channelId, id }: ChannelConnection) =>
  queryOptions({
    queryKey: ['setup', 'options', channelId, id],
    queryFn: () => readServiceAnswer('readConnectionOptions', { params: { channelId, connectionId: id } }),
    select: parsePublishOptions,
    ...minuteStaleTime,
  });
