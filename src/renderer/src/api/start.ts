import { useMutation, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { StartView } from '../../../ipc/startCalls.ts';
import { callCore } from './call.ts';
import { useCoreQuery } from './useCall.ts';

const startKey = ['start'];

/** Returns what a long start does; null if the companion runs. When the start ends, the window reads all its data again. */
export const useStart = () => {
  const client = useQueryClient();
  const { data: start = null, error } = useCoreQuery(startKey, 'start.state', {});
  const wasStarting = useRef(false);
  const isStarting = start !== null;
  useEffect(() => {
    if (wasStarting.current && !isStarting) void client.invalidateQueries();
    wasStarting.current = isStarting;
  }, [client, isStarting]);
  return { start, error };
};

const showRestart = (client: QueryClient): StartView | undefined =>
  client.setQueryData<StartView>(startKey, { name: 'restart', progress: null, isCancellable: false });

/** Restarts the companion, and shows the start until it runs. */
export const useRestart = () => {
  const client = useQueryClient();
  return useMutation({ mutationFn: () => callCore('start.restart', {}), onSuccess: () => showRestart(client) });
};
