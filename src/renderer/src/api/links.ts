import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call, companion } from './call.ts';

const keyOf = (url: string) => ['links', url];

/** Returns how the core lets a page be opened; null if it must not be opened, undefined while loading. */
export const usePageLink = (url: string) =>
  useQuery({ queryKey: keyOf(url), queryFn: () => call('links.inspect', { url }) }).data;

/** Opens a page. In the desktop app the core checks the address again and opens it; a browser opens it itself. */
const openPage = async (url: string): Promise<void> => {
  if (companion().host === 'electron') await call('app.open', { url });
  else window.open(url, '_blank', 'noopener,noreferrer');
};

/** Opens a page with a known host. An unknown host needs the person's confirmation first. */
export const openKnownPage = (url: string): void => void openPage(url).catch(() => undefined);

/** Returns the two steps for a page on an unknown host: ask for confirmation, then open the page. */
export const useHostQuestion = (url: string) => {
  const client = useQueryClient();
  const ask = useMutation({ mutationFn: () => call('links.ask', { url }) });
  const agree = useMutation({
    mutationFn: async (questionId: string) => openPage((await call('links.agree', { questionId })).url),
    onSuccess: () => {
      ask.reset();
      return client.invalidateQueries({ queryKey: ['links'] });
    },
  });
  return { ask, agree };
};
