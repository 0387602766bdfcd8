import { notifyManager, QueryClient } from '@tanstack/react-query';
import { firstStage, firstState } from '../api/firstState.ts';
import { countsQuery, createItemFilter, createPageQuery } from '../api/itemQueries.ts';
import { stateQuery } from '../api/queries.ts';
import { createLazyComponent } from '../components/createLazyComponent.tsx';
import { chooseLanguage, setLanguage } from '../i18n.ts';

// A timer for each change of a query takes longer than the change itself while many items change.
notifyManager.setScheduler(queueMicrotask);

/** The core reports every change, so data do not become stale with time. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { staleTime: Infinity, retry: false, refetchOnWindowFocus: false, networkMode: 'always' },
    mutations: { networkMode: 'always' },
  },
});

export const Home = createLazyComponent(async () => (await import('./Home.tsx')).Home);

/**
 * Loads everything that the first screen needs, so that it renders only once. Rejects if the companion does not respond
 * or a file cannot be loaded.
 */
export const prepareFirstScreen = async (): Promise<void> => {
  const state = await Promise.race([firstState, firstStage.then(() => null)]);
  // The start page is shown until the companion runs.
  if (state === null) return setLanguage(chooseLanguage('system'));
  const { connection, settings } = state;
  const language = chooseLanguage(settings.language);
  const isConnected = connection !== 'none';
  await Promise.all([
    setLanguage(language),
    queryClient.prefetchQuery(stateQuery),
    isConnected && Home.load(),
    isConnected && queryClient.prefetchQuery(countsQuery),
    isConnected && queryClient.prefetchQuery(createPageQuery(createItemFilter('', language), 0)),
  ]);
};
