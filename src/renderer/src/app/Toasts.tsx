import { Notifications } from '@mantine/notifications';

/** The short messages in the corner. What is said before this is loaded is kept, and shown then. */
export const Toasts = () => (
  <Notifications position="bottom-right" limit={3} autoClose={6000} transitionDuration={120} />
);
