import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call, companion } from './call.ts';

const keyOf = (url: string) => ['links', url];

/** How a page outside the companion may be opened, as the core judges it; null for one that may not, undefined until then. */
export const usePageLink = (url: string) =>
  useQuery({ queryKey: keyOf(url), queryFn: () => call('links.inspect', { url }) }).data;

/** Opens a page. In the desktop app the core does, which judges it once more; a browser opens it itself. */
const openPage = async (url: string): Promise<void> => {
  if (companion().host === 'electron') await call('app.open', { url });
  else window.open(url, '_blank', 'noopener,noreferrer');
};

/** Opens a page if its host is known. The link to one that is not asks the person first. */
export const openKnownPage = (url: string): void => void openPage(url).catch(() => undefined);

/** Asks about the host of a page, and opens the page after the yes. */
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
