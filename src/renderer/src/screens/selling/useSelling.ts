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

/** Routes of the setup that ask. */
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

/** Asks for a change of the setup: its question opens. Answers the id of the question, or null when it is done already. */
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

/** All of it is read again when the core says that the setup changed; and when the screen is opened after a minute. */
const aMinute = { staleTime: 60_000 } as const;

/** Whether the marketplace account is connected and ready, and what is missing. */
export const useStatus = () =>
  useQuery({ queryKey: ['setup', 'status'], queryFn: () => read('readMarketStatus', {}), ...aMinute });

/** The accounts at the marketplace; the person may have several. */
export const useAccounts = () =>
  useQuery({
    queryKey: ['setup', 'accounts'],
    queryFn: () => read('listMarketAccounts', {}),
    select: accountsIn,
    ...aMinute,
  });

/** What is left of the daily budgets at the marketplace. */
export const useBudgets = () =>
  useQuery({
    queryKey: ['setup', 'budgets'],
    queryFn: () => read('readRateLimits', {}),
    select: budgetsIn,
    ...aMinute,
  });

/** What new listings begin with. */
export const useDefaults = () =>
  useQuery({
    queryKey: ['setup', 'defaults'],
    queryFn: () => read('readSellerDefaults', {}),
    select: defaultsIn,
    ...aMinute,
  });

/** The saved templates. */
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

/** Other places to sell. */
export const useChannels = () => useQuery(channelsQuery);

/**
 * How many characters a title may have on all of these channels, read where there are any; null while that is not known,
 * and where none of them says it.
 */
export const useTitleLimit = (channelIds: readonly string[]): number | null => {
  const { data } = useQuery({ ...channelsQuery, ...aMinute, enabled: channelIds.length > 0 });
  const limits = (data ?? [])
    .filter(({ channelId }) => channelIds.includes(channelId))
    .flatMap(({ title }) => title ?? []);
  return limits.length > 0 ? Math.min(...limits) : null;
};

/** The accounts that are connected at other places. */
export const useConnections = () =>
  useQuery({
    queryKey: ['setup', 'connections'],
    queryFn: () => read('listConnections', {}),
    select: connectionsIn,
    ...aMinute,
  });

/** What can be chosen when something is published with an account on another channel. */
export const connectionOptionsQuery = ({ channelId, id }: Connection) =>
  queryOptions({
    queryKey: ['setup', 'options', channelId, id],
    queryFn: () => read('readConnectionOptions', { params: { channelId, connectionId: id } }),
    select: optionsIn,
    ...aMinute,
  });
