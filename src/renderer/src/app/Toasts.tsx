import { Button, Group } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { Notifications, notifications } from '@mantine/notifications';
import { useIsFetching, useIsMutating } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import { sentenceOf, serviceWaits, stopWaiting } from '../api/call.ts';
import { openDialogs } from '../components/Keys.tsx';
import { t } from '../i18n.ts';

const slowId = 'slow service';

const stop = (): void =>
  void stopWaiting().catch((error: unknown) => notifications.show({ message: sentenceOf(error), color: 'amber' }));

/** Whether somebody waits for the service: for what they did, or in front of a screen that has nothing to show yet. */
const useIsSlow = (): boolean => {
  const waits = [...useSyncExternalStore(serviceWaits.subscribe, serviceWaits.get).values()];
  const empty = useIsFetching({ predicate: ({ state }) => state.status === 'pending' });
  const acts = useIsMutating();
  return waits.includes('act') || (empty + acts > 0 && waits.includes('look'));
};

/** Says that the service is slow while somebody waits for it, and lets them go on with something else. */
const useSlowService = (): void => {
  const isSlow = useIsSlow();
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
          <Button size="compact-sm" onClick={stop}>
            {t('app.stopWaiting')}
          </Button>
        </Group>
      ),
    });
    return () => void notifications.hide(slowId);
  }, [isSlow]);
};

/** Whether messages lie below a dialog: in a narrow window there is no room beside it (`tokens.css`). */
const useAreCovered = (): boolean => {
  const isNarrow = useMediaQuery('(max-width: 1199px)');
  return useSyncExternalStore(openDialogs.subscribe, openDialogs.get) > 0 && isNarrow;
};

/** The short messages, where nothing leads on: above the foot, whose buttons do, and beside the prompt, never over it. */
export const Toasts = () => {
  useSlowService();
  // What nobody could read waits until it is seen.
  const autoClose = useAreCovered() ? false : 6000;
  return <Notifications position="bottom-right" limit={3} autoClose={autoClose} transitionDuration={120} />;
};
