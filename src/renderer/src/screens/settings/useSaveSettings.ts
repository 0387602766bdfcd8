import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { CallInput } from '../../../../ipc/calls.ts';
import { call } from '../../api/call.ts';

/** Keeps changed settings; what is not named stays. */
export const useSaveSettings = () => {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (change: CallInput<'app.settings'>) => call('app.settings', change),
    onSuccess: (state) => client.setQueryData(['app'], state),
  });
};
