import { skipToken, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { InputOf, RouteName } from '../../../../contract/index.ts';
import { perform, read } from '../../api/call.ts';
import { usePrompts } from '../approvals/usePrompts.ts';
import { keysIn, plansIn, productsIn, referralIn, switchesIn, userIn } from './answers.ts';

export const usePlans = () =>
  useQuery({ queryKey: ['account', 'plans'], queryFn: () => read('listPlans', {}), select: plansIn });

export const useProducts = () =>
  useQuery({ queryKey: ['account', 'products'], queryFn: () => read('listProducts', {}), select: productsIn });

export const useReferral = () =>
  useQuery({ queryKey: ['account', 'referral'], queryFn: () => read('readReferrals', {}), select: referralIn });

export const useKeysAtService = () =>
  useQuery({ queryKey: ['account', 'keys'], queryFn: () => read('listKeys', {}), select: keysIn });

/** Who the service says the person is. */
const useUserId = (): string | null =>
  useQuery({ queryKey: ['account', 'who'], queryFn: () => read('readAccount', {}) }).data?.userId ?? null;

const userKey = ['account', 'user'] as const;

/** Name, language and what happens after a sale; null for an id that is not known yet. */
export const useUser = () => {
  const userId = useUserId();
  const user = useQuery({
    queryKey: userKey,
    queryFn: userId === null ? skipToken : () => read('readUser', { params: { userId } }),
    select: userIn,
  });
  return { userId, ...user };
};

export type MessageWay = 'email' | 'push';

/** Which e-mails and which messages on the phone the person gets. */
export const useMessagePreferences = (way: MessageWay) => {
  const userId = useUserId();
  const readIt =
    way === 'push'
      ? () => read('readPushPreferences', {})
      : userId === null
        ? skipToken
        : () => read('readUserNotificationPreferences', { params: { userId } });
  const client = useQueryClient();
  const queryKey = ['account', 'told', way];
  const save = useMutation({
    mutationFn: (body: Record<string, boolean>) =>
      way === 'push'
        ? read('updatePushPreferences', { body })
        : read('updateUserNotificationPreferences', { params: { userId: userId ?? '' }, body }),
    onSuccess: () => client.invalidateQueries({ queryKey }),
  });
  return { ...useQuery({ queryKey, queryFn: readIt, select: switchesIn }), save };
};

/** Routes of the account that may ask. */
type Asked = Extract<RouteName, 'updateUser' | 'createCheckoutToken' | 'createPortal' | 'revokeCurrentKey'>;
type Request = { [N in Asked]: { route: N; input: InputOf<N> } }[Asked];

/** Asks for a change of the account: its question opens; what needs none is done at once. */
export const useAskAccount = () => {
  const { show } = usePrompts();
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ route, input }: Request) => perform(route, input),
    onSuccess: async (performed) => {
      await client.invalidateQueries({ queryKey: performed.state === 'pending' ? ['approvals'] : userKey });
      if (performed.state === 'pending') show(performed.approvalId);
    },
  });
};
