import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import './uiKit.css';
import '@mantine/notifications/styles.css';
import './tokens.css';
import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { Router } from 'wouter';
import { useHashLocation } from 'wouter/use-hash-location';
import { useTopics } from '../api/useTopics.ts';
import { Start } from './Start.tsx';
import { styleNonce } from '../api/call.ts';
import { theme } from './theme.ts';

/** Data changes when the core says so; nothing is read again for its age or for a focused window. */
const queryClient = new QueryClient({
  defaultOptions: {
    queries: { staleTime: Infinity, retry: false, refetchOnWindowFocus: false, networkMode: 'always' },
    mutations: { networkMode: 'always' },
  },
});

const Listening = () => {
  useTopics();
  return <Start />;
};

/** The whole window: theme, data and routing around the first screen that fits. */
export const App = () => (
  <MantineProvider theme={theme} defaultColorScheme="auto" getStyleNonce={styleNonce}>
    <QueryClientProvider client={queryClient}>
      <Router hook={useHashLocation}>
        <Listening />
        <Notifications position="bottom-right" limit={3} autoClose={6000} transitionDuration={120} />
      </Router>
    </QueryClientProvider>
  </MantineProvider>
);
