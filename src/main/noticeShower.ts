import { Notification } from 'electron';
import type { Notify } from '../core/ports.ts';

/** Shows notices outside the window; a click on one opens the window, at the approvals when it is about one. */
export const noticeShower = (showWindow: (place?: string) => void): Notify => {
  // A notification that nothing refers to is collected before it is clicked.
  const shown = new Set<Notification>();
  return ({ title, text, approvalId }) => {
    if (!Notification.isSupported()) return;
    const notification = new Notification({ title, body: text });
    shown.add(notification);
    notification.on('click', () => {
      shown.delete(notification);
      showWindow(approvalId === undefined ? undefined : '/approvals');
    });
    notification.on('close', () => shown.delete(notification));
    notification.show();
  };
};
