import { notifications } from '@mantine/notifications';
import {
  skipToken,
  useMutation,
  useQuery,
  useQueryClient,
  type QueryKey,
  type UseQueryOptions,
} from '@tanstack/react-query';
import type { AnswerOf, InputOf, RouteName } from '../../../contract/index.ts';
import type { CallAnswer, CallInput, CallName } from '../../../ipc/calls.ts';
import { callCore, getErrorSentence, isNotConfirmed, readServiceAnswer, type AppState } from './call.ts';

type QueryOptions<Answer, Selected> = Omit<UseQueryOptions<Answer, Error, Selected>, 'queryKey' | 'queryFn'>;

/** Reads from the core. If the input is null, nothing is read. */
export const useCoreQuery = <N extends CallName, Selected = CallAnswer<N>>(
  queryKey: QueryKey,
  name: N,
  input: CallInput<N> | null,
  options: QueryOptions<CallAnswer<N>, Selected> = {},
) => useQuery({ queryKey, queryFn: input === null ? skipToken : () => callCore(name, input), ...options });

/** Reads from the service, with a route that never needs an approval. If the input is null, nothing is read. */
export const useServiceQuery = <N extends RouteName, Selected = AnswerOf<N>>(
  queryKey: QueryKey,
  route: N,
  input: InputOf<N> | null,
  options: QueryOptions<AnswerOf<N>, Selected> = {},
) => useQuery({ queryKey, queryFn: input === null ? skipToken : () => readServiceAnswer(route, input), ...options });

/** A change that the core answers with its new state. */
export const useAppStateMutation = <Input = void>(
  mutationFn: (input: Input) => Promise<AppState>,
  options: { onDone?: () => void; onError?: () => void } = {},
) => {
  const client = useQueryClient();
  return useMutation({
    mutationFn,
    onSuccess: (state) => {
      client.setQueryData(['app'], state);
      options.onDone?.();
    },
    onError: () => options.onError?.(),
  });
};

export const notifyError = (error: unknown): void => {
  const message = getErrorSentence(error);
  // A sentence that is still shown is not shown again.
  notifications.show({ id: message, message, color: isNotConfirmed(error) ? 'gray' : 'amber' });
};

/** A change of items. The items are read again, even after an error, which is shown as a notification. */
export const useItemMutation = <Answer, Input = void>(
  mutationFn: (input: Input) => Promise<Answer>,
  onSuccess: (answer: Answer) => void = () => undefined,
) => {
  const client = useQueryClient();
  return useMutation({
    mutationFn,
    onSuccess,
    onError: notifyError,
    onSettled: () => client.invalidateQueries({ queryKey: ['items'] }),
  });
};
