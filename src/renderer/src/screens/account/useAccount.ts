import { skipToken, useMutation, useQuery, useQueryClient, type UseMutationResult } from '@tanstack/react-query';
import type { InputOf, RouteName } from '../../../../contract/index.ts';
import { perform, read, type Performed } from '../../api/call.ts';
import { usePrompts } from '../approvals/usePrompts.ts';
import { keysIn, plansIn, productsIn, referralIn, switchesIn, userIn } from './answers.ts';

/** Every plan there is, with its price and limits. */
export const usePlans = () =>
  useQuery({ queryKey: ['account', 'plans'], queryFn: () => read('listPlans', {}), select: plansIn });

/** Whether a plan may be tried, and the packs of credits. */
export const useProducts = () =>
  useQuery({ queryKey: ['account', 'products'], queryFn: () => read('listProducts', {}), select: productsIn });

/** The link to give to others, and how many joined by it. */
export const useReferral = () =>
  useQuery({ queryKey: ['account', 'referral'], queryFn: () => read('readReferrals', {}), select: referralIn });

/** The assistants that hold a key at the service, this companion among them. */
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

/** Where the service sends its messages: by e-mail, or to the phone. */
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

/** A running request of the account. */
export type AccountRequest = UseMutationResult<Performed<Asked>, Error, Request>;

/** Asks for a change of the account: its question opens; what needs none is done at once. */
export const useAskAccount = (): AccountRequest => {
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
