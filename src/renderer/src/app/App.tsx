import './uiKit.css';
import '@mantine/notifications/styles.css';
import './tokens.css';
import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { Router } from 'wouter';
import { useHashLocation } from 'wouter/use-hash-location';
import { queryClient } from '../api/queryClient.ts';
import { useTopics } from '../api/useTopics.ts';
import { Start } from './Start.tsx';
import { styleNonce } from './styleNonce.ts';
import { theme } from './theme.ts';

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
