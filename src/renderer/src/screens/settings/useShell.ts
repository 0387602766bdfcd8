import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { CallAnswer } from '../../../../ipc/calls.ts';
import { call } from '../../api/call.ts';

type Shell = CallAnswer<'app.shell'>;

const isUnderWay = (shell: Shell | undefined): boolean =>
  shell?.update?.state === 'checking' || shell?.update?.state === 'loading';

/** How the app stands with the system around it; looked at again while an update is under way. */
export const useShell = () =>
  useQuery({
    queryKey: ['shell'],
    queryFn: () => call('app.shell', {}),
    staleTime: 0,
    refetchInterval: ({ state }) => (isUnderWay(state.data) ? 2_000 : false),
  });

/** A call that changes how the app stands with the system, and answers how it then does. */
export function useShellAct<Input>(act: (input: Input) => Promise<Shell>) {
  const client = useQueryClient();
  return useMutation({ mutationFn: act, onSuccess: (shell) => client.setQueryData(['shell'], shell) });
}
