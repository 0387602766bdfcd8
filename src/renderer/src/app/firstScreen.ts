import { QueryClient } from '@tanstack/react-query';
import { firstState } from '../api/firstState.ts';
import { countsQuery, itemFilter, pageQuery } from '../api/itemQueries.ts';
import { stateQuery } from '../api/queries.ts';
import { lazyComponent } from '../components/lazyComponent.tsx';
import { languageOf, setLanguage } from '../i18n.ts';

/** Data changes when the core says so; nothing is read again for its age or for a focused window. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { staleTime: Infinity, retry: false, refetchOnWindowFocus: false, networkMode: 'always' },
    mutations: { networkMode: 'always' },
  },
});

/** The screens in their frame: who is connected needs them at once, who is not reads the first run meanwhile. */
export const Home = lazyComponent(async () => (await import('./Home.tsx')).Home);

/**
 * Reads and loads what the first screen shows, all together: it is then drawn once, with everything in it. Rejects where
 * the companion or a file does not answer; the screens say so themselves.
 */
export const prepareFirstScreen = async (): Promise<void> => {
  const { connection, settings } = await firstState;
  const language = languageOf(settings.language);
  const isConnected = connection !== 'none';
  await Promise.all([
    setLanguage(language),
    queryClient.prefetchQuery(stateQuery),
    isConnected && Home.load(),
    isConnected && queryClient.prefetchQuery(countsQuery),
    isConnected && queryClient.prefetchQuery(pageQuery(itemFilter('', language), 0)),
  ]);
};
