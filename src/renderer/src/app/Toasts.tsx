import { useMediaQuery } from '@mantine/hooks';
import { Notifications } from '@mantine/notifications';

/**
 * The short messages, where nothing leads on: buttons that do stand at the right or, in a narrow window, at the foot. What
 * is said before this is loaded is kept, and shown then.
 */
export const Toasts = () => {
  const narrow = useMediaQuery('(max-width: 720px)', false, { getInitialValueInEffect: false }) ?? false;
  return (
    <Notifications
      position={narrow ? 'top-right' : 'bottom-left'}
      limit={3}
      autoClose={6000}
      transitionDuration={120}
    />
  );
};
