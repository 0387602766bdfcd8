import { notifyError } from '../api/useCall.ts';
import { Button, Group } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { Notifications, notifications } from '@mantine/notifications';
import { useIsFetching, useIsMutating } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import { serviceWaits, stopServiceWaits } from '../api/call.ts';
import { openDialogs } from '../components/Keys.tsx';
import { t } from '../i18n.ts';

const slowId = 'slow service';

const stopSlowRequests = (): void => void stopServiceWaits().catch(notifyError);

/** Returns true if the person waits for the result of an action, or for the first data of a screen. */
const useIsServiceSlow = (): boolean => {
  const waits = [...useSyncExternalStore(serviceWaits.subscribe, serviceWaits.get).values()];
  const empty = useIsFetching({ predicate: ({ state }) => state.status === 'pending' });
  const acts = useIsMutating();
  return waits.includes('act') || (empty + acts > 0 && waits.includes('look'));
};

const useSlowServiceToast = (): void => {
  const isSlow = useIsServiceSlow();
  useEffect(() => {
    if (!isSlow) return;
    notifications.show({
      id: slowId,
      autoClose: false,
      withCloseButton: false,
      loading: true,
      message: (
        <Group justify="space-between" wrap="nowrap">
          {t('app.slow')}
          <Button size="compact-sm" onClick={stopSlowRequests}>
            {t('app.stopWaiting')}
          </Button>
        </Group>
      ),
    });
    return () => void notifications.hide(slowId);
  }, [isSlow]);
};

/** A narrow window has no room next to a dialog (`tokens.css`), so the dialog covers the messages. */
const useAreToastsCovered = (): boolean => {
  const isNarrow = useMediaQuery('(max-width: 1199px)');
  return useSyncExternalStore(openDialogs.subscribe, openDialogs.get) > 0 && isNarrow;
};

export const ToastMessages = () => {
  useSlowServiceToast();
  // Covered messages stay until they are visible.
  const autoClose = useAreToastsCovered() ? false : 6000;
  return <Notifications position="bottom-right" limit={3} autoClose={autoClose} transitionDuration={120} />;
};
