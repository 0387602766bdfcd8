import { notifyError } from '../api/useCall.ts';
import { Button, Group } from '@mantine/core';
import { notifications, useNotifications } from '@mantine/notifications';
import { useIsFetching, useIsMutating } from '@tanstack/react-query';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { serviceWaits, stopServiceWaits, type WaitKind } from '../api/call.ts';
import { createLazyComponent } from '../components/createLazyComponent.tsx';
import { t } from '../i18n.ts';

const slowId = 'slow service';

const stopSlowRequests = (): void => void stopServiceWaits().catch(notifyError);

/** Returns true if the person waits for the result of an action, or for the first data of a screen. */
const useIsServiceSlow = (waits: readonly WaitKind[]): boolean => {
  const empty = useIsFetching({ predicate: ({ state }) => state.status === 'pending' });
  const acts = useIsMutating();
  return waits.includes('act') || (empty + acts > 0 && waits.includes('look'));
};

/** Rendered only during waits, because it reads the state of all queries with each change of one. */
const SlowServiceToast = ({ waits }: { waits: readonly WaitKind[] }) => {
  const isSlow = useIsServiceSlow(waits);
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
  return null;
};

const ToastMessages = createLazyComponent(async () => (await import('./Toasts.tsx')).ToastMessages);

/** The first screen has no messages, so the code that shows them is loaded with the first message. */
export const ToastHost = () => {
  const waits = [...useSyncExternalStore(serviceWaits.subscribe, serviceWaits.get).values()];
  const hasMessages = useNotifications().notifications.length > 0;
  const [isNeeded, setNeeded] = useState(false);
  if (hasMessages && !isNeeded) setNeeded(true);
  return (
    <>
      {waits.length > 0 && <SlowServiceToast waits={waits} />}
      {isNeeded && <ToastMessages />}
    </>
  );
};
