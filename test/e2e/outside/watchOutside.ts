import type { ElectronApplication } from 'playwright';

type Shown = { title: string; body: string; buttons: string[]; closed: boolean };
type Outside = { notifications: Shown[]; toolTip: string; badge: number; menu: string[] };

/** Stored in the app's own process. */
type Kept = {
  outside: {
    notifications: (Electron.Notification & { closed?: boolean })[];
    toolTip: string;
    badge: number;
    menu: Electron.Menu | null;
    areDrawn: boolean;
  };
};

/** Records what the app shows outside its windows instead of letting the desktop show it. */
export const watchOutside = async (app: ElectronApplication) => {
  await app.evaluate(({ app: electron, Notification, Tray }) => {
    const outside: Kept['outside'] = { notifications: [], toolTip: '', badge: -1, menu: null, areDrawn: true };
    Object.assign(globalThis, { outside });
    // Notifications are supported even if the machine has no service for them.
    Notification.isSupported = () => true;
    Object.assign(Notification.prototype, {
      show(this: Electron.Notification) {
        outside.notifications.push(this);
        if (outside.areDrawn) this.emit('show');
      },
      close(this: Electron.Notification & { closed?: boolean }) {
        this.closed = true;
      },
    });
    Object.assign(Tray.prototype, {
      setToolTip: (text: string) => void (outside.toolTip = text),
      setContextMenu: (menu: Electron.Menu) => void (outside.menu = menu),
    });
    electron.setBadgeCount = (count = 0) => {
      outside.badge = count;
      return true;
    };
  });
  return {
    now: (): Promise<Outside> =>
      app.evaluate(() => {
        const { notifications, toolTip, badge, menu } = (globalThis as unknown as Kept).outside;
        return {
          toolTip,
          badge,
          menu: (menu?.items ?? []).map(({ label }) => label).filter(Boolean),
          notifications: notifications.map(({ title, body, actions, closed = false }) => ({
            title,
            body,
            closed,
            buttons: actions.map(({ text }) => text ?? ''),
          })),
        };
      }),
    /** The desktop no longer reports that it draws notifications. */
    hideNotifications: (): Promise<void> =>
      app.evaluate(() => void ((globalThis as unknown as Kept).outside.areDrawn = false)),
    /** Presses a button of the newest notification, with the system's event. */
    press: (name: string): Promise<void> =>
      app.evaluate((_electron, button) => {
        const notification = (globalThis as unknown as Kept).outside.notifications.at(-1);
        const actionIndex = notification?.actions.findIndex(({ text }) => text === button);
        notification?.emit('action', { actionIndex });
      }, name),
    clickNotification: (): Promise<void> =>
      app.evaluate(() => void (globalThis as unknown as Kept).outside.notifications.at(-1)?.emit('click')),
    /** Chooses a line of the tray's menu. */
    choose: (id: string): Promise<void> =>
      app.evaluate((_electron, item) => {
        const found = (globalThis as unknown as Kept).outside.menu?.getMenuItemById(item) as {
          click: () => void;
        } | null;
        found?.click();
      }, id),
    windows: (): Promise<{ title: string; onTop: boolean; width: number; height: number; visible: boolean }[]> =>
      app.evaluate(({ BrowserWindow }) =>
        BrowserWindow.getAllWindows().map((window) => ({
          title: window.getTitle(),
          onTop: window.isAlwaysOnTop(),
          visible: window.isVisible(),
          width: window.getBounds().width,
          height: window.getBounds().height,
        })),
      ),
  };
};
