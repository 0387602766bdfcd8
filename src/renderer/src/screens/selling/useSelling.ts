import { queryOptions, useMutation, useQueryClient, useQuery } from '@tanstack/react-query';
import type { InputOf, RouteName } from '../../../../contract/index.ts';
import { perform, read } from '../../api/call.ts';
import { usePrompts } from '../approvals/useQuestions.ts';
import {
  accountsIn,
  budgetsIn,
  channelsIn,
  type Connection,
  connectionsIn,
  defaultsIn,
  optionsIn,
  templatesIn,
} from './answers.ts';

/** Setup routes that need an approval. */
type Asked = Extract<
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

type Request = { [N in Asked]: { route: N; input: InputOf<N> } }[Asked];

/** Requests a change of the setup and opens its prompt. */
export const useAskSetup = () => {
  const { show } = usePrompts();
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ route, input }: Request) => perform(route, input),
    onSuccess: async (performed) => {
      await client.invalidateQueries({ queryKey: ['approvals'] });
      if (performed.state === 'pending') show(performed.approvalId);
      else await client.invalidateQueries({ queryKey: ['setup'] });
    },
  });
};

/** Setup queries are read again when the core reports a change, or when the screen opens after a minute. */
const aMinute = { staleTime: 60_000 } as const;

export const useStatus = () =>
  useQuery({ queryKey: ['setup', 'status'], queryFn: () => read('readMarketStatus', {}), ...aMinute });

export const useAccounts = () =>
  useQuery({
    queryKey: ['setup', 'accounts'],
    queryFn: () => read('listMarketAccounts', {}),
    select: accountsIn,
    ...aMinute,
  });

export const useBudgets = () =>
  useQuery({
    queryKey: ['setup', 'budgets'],
    queryFn: () => read('readRateLimits', {}),
    select: budgetsIn,
    ...aMinute,
  });

export const useDefaults = () =>
  useQuery({
    queryKey: ['setup', 'defaults'],
    queryFn: () => read('readSellerDefaults', {}),
    select: defaultsIn,
    ...aMinute,
  });

export const useTemplates = () =>
  useQuery({
    queryKey: ['setup', 'templates'],
    queryFn: () => read('listTemplates', {}),
    select: templatesIn,
    ...aMinute,
  });

const channelsQuery = {
  queryKey: ['setup', 'channels'],
  queryFn: () => read('listChannels', {}),
  select: channelsIn,
};

export const useChannels = () => useQuery(channelsQuery);

/** Returns the maximum title length on all of these channels; null if unknown. */
export const useTitleLimit = (channelIds: readonly string[]): number | null => {
  const { data } = useQuery({ ...channelsQuery, ...aMinute, enabled: channelIds.length > 0 });
  const limits = (data ?? [])
    .filter(({ channelId }) => channelIds.includes(channelId))
    .flatMap(({ title }) => title ?? []);
  return limits.length > 0 ? Math.min(...limits) : null;
};

export const useConnections = () =>
  useQuery({
    queryKey: ['setup', 'connections'],
    queryFn: () => read('listConnections', {}),
    select: connectionsIn,
    ...aMinute,
  });

/** Reads the publish options of an account on another channel. */
export const connectionOptionsQuery = ({ channelId, id }: Connection) =>
  queryOptions({
    queryKey: ['setup', 'options', channelId, id],
    queryFn: () => read('readConnectionOptions', { params: { channelId, connectionId: id } }),
    select: optionsIn,
    ...aMinute,
  });
