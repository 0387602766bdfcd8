import { QueryClient } from '@tanstack/react-query';
import { firstState } from '../api/firstState.ts';
import { countsQuery, createItemFilter, createPageQuery } from '../api/itemQueries.ts';
import { stateQuery } from '../api/queries.ts';
import { createLazyComponent } from '../components/createLazyComponent.tsx';
import { chooseLanguage, setLanguage } from '../i18n.ts';

/** Data is refetched when the core reports a change, never because of its age or on focus. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { staleTime: Infinity, retry: false, refetchOnWindowFocus: false, networkMode: 'always' },
    mutations: { networkMode: 'always' },
  },
});

/** The screens in their frame: loaded at once if the companion is connected, otherwise during the first run. */
export const Home = createLazyComponent(async () => (await import('./Home.tsx')).Home);

/**
 * Loads everything that the first screen shows in parallel, so that it renders once and completely. Rejects if the
 * companion or a file does not respond; the screens report the error themselves.
 */
export const prepareFirstScreen = async (): Promise<void> => {
  const { connection, settings } = await firstState;
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
