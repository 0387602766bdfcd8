import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { callCore, getCompanionWindow } from './call.ts';

const createLinkKey = (url: string) => ['links', url];

/** Returns how the core lets a page be opened; null if it must not be opened, undefined while loading. */
export const usePageLink = (url: string) =>
  useQuery({ queryKey: createLinkKey(url), queryFn: () => callCore('links.inspect', { url }) }).data;

/** Opens a page. In the desktop app the core checks the address again and opens it; a browser opens it itself. */
const openExternalPage = async (url: string): Promise<void> => {
  if (getCompanionWindow().host === 'electron') await callCore('app.open', { url });
  else window.open(url, '_blank', 'noopener,noreferrer');
};

/** Opens a page with a known host. An unknown host needs the person's confirmation first. */
export const openKnownPage = (url: string): void => void openExternalPage(url).catch(() => undefined);

/** Returns the two steps for a page on an unknown host: ask for confirmation, then open the page. */
export const useHostConfirmation = (url: string) => {
  const client = useQueryClient();
  const ask = useMutation({ mutationFn: () => callCore('links.ask', { url }) });
  const agree = useMutation({
    mutationFn: async (questionId: string) => openExternalPage((await callCore('links.agree', { questionId })).url),
    onSuccess: () => {
      ask.reset();
      return client.invalidateQueries({ queryKey: ['links'] });
    },
  });
  return { ask, agree };
};
