import { QueryClient } from '@tanstack/react-query';

/** Data changes when the core says so; nothing is read again for its age or for a focused window. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { staleTime: Infinity, retry: false, refetchOnWindowFocus: false, networkMode: 'always' },
    mutations: { networkMode: 'always' },
  },
});
