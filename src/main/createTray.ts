import { app, Menu, nativeImage, Tray, type MenuItemConstructorOptions, type Rectangle } from 'electron';
import type { ApprovalView } from '../core/approvals/approval.ts';
import { approvalLabel, waitingLabel } from './trayLabels.ts';
import { trayPicture, waitingPicture } from './trayPicture.ts';

type Parts = { showWindow: () => void; review: (approvalId?: string) => void };

/** More would not fit on a screen; the last line stands for the others. */
const mostLines = 10;

/** The companion's place beside the clock: what waits for the person, opening the window, and quitting. */
export const createTray = ({ showWindow, review }: Parts) => {
  const pictures = {
    quiet: nativeImage.createFromDataURL(trayPicture),
    waiting: nativeImage.createFromDataURL(waitingPicture),
  };
  const tray = new Tray(pictures.quiet);
  let count = 0;

  const lines = (waiting: readonly ApprovalView[]): MenuItemConstructorOptions[] => [
    { id: 'waiting', label: waitingLabel(waiting.length), enabled: waiting.length > 0, click: () => review() },
    ...waiting.slice(0, mostLines).map((approval) => ({
      id: approval.approvalId,
      label: approvalLabel(approval.prompt),
      click: () => review(approval.approvalId),
    })),
    ...(waiting.length > mostLines
      ? [{ label: `… and ${waiting.length - mostLines} more`, click: () => review() }]
      : []),
  ];

  const show = (waiting: readonly ApprovalView[]): void => {
    if (tray.isDestroyed()) return;
    count = waiting.length;
    tray.setImage(count > 0 ? pictures.waiting : pictures.quiet);
    tray.setToolTip(`Listing Companion. ${waitingLabel(count)}`);
    // Beside the picture; the other systems have no such place.
    if (process.platform === 'darwin') tray.setTitle(count > 0 ? String(count) : '');
    tray.setContextMenu(
      Menu.buildFromTemplate([
        ...lines(waiting),
        { type: 'separator' },
        { id: 'open', label: 'Open Listing Companion', click: () => showWindow() },
        { id: 'quit', label: 'Quit', click: () => app.quit() },
      ]),
    );
    app.setBadgeCount(count);
  };

  show([]);
  tray.on('click', () => (count > 0 ? review() : showWindow()));
  return {
    show,
    bounds: (): Rectangle => (tray.isDestroyed() ? { x: 0, y: 0, width: 0, height: 0 } : tray.getBounds()),
  };
};
