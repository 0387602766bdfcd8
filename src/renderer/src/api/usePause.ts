import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from './call.ts';

/** Holds back everything new with true, lets it go on with false. */
export const usePause = () => {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (paused: boolean) => call('app.pause', { paused }),
    onSuccess: (state) => client.setQueryData(['app'], state),
  });
};
