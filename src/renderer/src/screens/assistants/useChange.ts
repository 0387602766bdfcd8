import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { CallInput } from '../../../../ipc/calls.ts';
import { call } from '../../api/call.ts';

export type Change = Omit<CallInput<'assistants.change'>, 'assistantId'>;

/** Pauses an assistant or changes its limits. */
export const useChange = (assistantId: string) => {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (change: Change) => call('assistants.change', { assistantId, ...change }),
    onSettled: () => client.invalidateQueries({ queryKey: ['assistants'] }),
  });
};
