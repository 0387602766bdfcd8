import { app, Menu, nativeImage, Tray } from 'electron';
import type { Running } from '../host/runCompanion.ts';
import { trayPicture } from './trayPicture.ts';

type Parts = { running: Running; showWindow: (place?: string) => void };

const waitingLabel = (count: number): string =>
  count === 0 ? 'Nothing waits for you' : count === 1 ? '1 request waits for you' : `${count} requests wait for you`;

/** The companion's place beside the clock: how many requests wait, opening the window, and quitting. */
export const createTray = ({ running, showWindow }: Parts): Tray => {
  const tray = new Tray(nativeImage.createFromDataURL(trayPicture));
  const show = (count: number): void => {
    const label = waitingLabel(count);
    tray.setToolTip(`Listing Companion. ${label}`);
    tray.setContextMenu(
      Menu.buildFromTemplate([
        { id: 'waiting', label, enabled: count > 0, click: () => showWindow('/approvals') },
        { type: 'separator' },
        { id: 'open', label: 'Open Listing Companion', click: () => showWindow() },
        { id: 'quit', label: 'Quit', click: () => app.quit() },
      ]),
    );
    app.setBadgeCount(count);
  };
  const refresh = async (): Promise<void> => {
    const state = await running.handlers['app.state']({}).catch(() => null);
    if (state !== null && !tray.isDestroyed()) show(state.waitingApprovals);
  };
  show(0);
  void refresh();
  running.onChanged((topic) => {
    if (topic === 'approvals') void refresh();
  });
  tray.on('click', () => showWindow());
  return tray;
};
