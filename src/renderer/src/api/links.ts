import { useCoreQuery } from './useCall.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { callCore, getCompanionWindow } from './call.ts';

const createLinkKey = (url: string) => ['links', url];

/** Returns null if the page must not be opened, and undefined while the query runs. */
export const usePageLink = (url: string) => useCoreQuery(createLinkKey(url), 'links.inspect', { url }).data;

/** The core of the desktop app checks the address again. A browser opens the page itself. */
const openExternalPage = async (url: string): Promise<void> => {
  if (getCompanionWindow().host === 'electron') await callCore('app.open', { url });
  else window.open(url, '_blank', 'noopener,noreferrer');
};

/** Must be used only for a known host, because the person must confirm an unknown host. */
export const openKnownPage = (url: string): void => void openExternalPage(url).catch(() => undefined);

/** The person must confirm an unknown host, so the caller asks first and opens the page afterwards. */
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
