import { useMediaQuery } from '@mantine/hooks';
import { Notifications } from '@mantine/notifications';
import { useSyncExternalStore } from 'react';
import { openDialogs } from '../components/Keys.tsx';

/** A narrow window has no room next to a dialog (`tokens.css`), so the dialog covers the messages. */
const useAreToastsCovered = (): boolean => {
  const isNarrow = useMediaQuery('(max-width: 1199px)');
  return useSyncExternalStore(openDialogs.subscribe, openDialogs.get) > 0 && isNarrow;
};

export const ToastMessages = () => {
  // Covered messages stay until they are visible.
  const autoClose = useAreToastsCovered() ? false : 6000;
  return <Notifications position="bottom-right" limit={3} autoClose={autoClose} transitionDuration={120} />;
};
