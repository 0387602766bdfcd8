import { app, Menu, nativeImage, Tray, type MenuItemConstructorOptions, type Rectangle } from 'electron';
import type { ApprovalView } from '../core/approvals/approval.ts';
import type { WorkShown } from '../host/watchWork.ts';
import { approvalLabel, waitingLabel, workLabel } from './trayLabels.ts';
import { trayPicture, waitingPicture } from './trayPicture.ts';

type Parts = {
  showWindow: (place?: string) => void;
  review: (approvalId?: string) => void;
  pause: (paused: boolean) => void;
};

/** More would not fit on a screen; the last line stands for the others. */
const mostLines = 10;

const approvalLines = (waiting: readonly ApprovalView[], review: Parts['review']): MenuItemConstructorOptions[] => [
  { id: 'waiting', label: waitingLabel(waiting.length), enabled: waiting.length > 0, click: () => review() },
  ...waiting.slice(0, mostLines).map((approval) => ({
    id: approval.approvalId,
    label: approvalLabel(approval.prompt),
    click: () => review(approval.approvalId),
  })),
  ...(waiting.length > mostLines ? [{ label: `… and ${waiting.length - mostLines} more`, click: () => review() }] : []),
];

/** The companion's place beside the clock: what waits for the person, what runs, pausing it all, and quitting. */
export const createTray = ({ showWindow, review, pause }: Parts) => {
  const pictures = {
    quiet: nativeImage.createFromDataURL(trayPicture),
    waiting: nativeImage.createFromDataURL(waitingPicture),
  };
  const tray = new Tray(pictures.quiet);
  let waiting: readonly ApprovalView[] = [];
  let work: Pick<WorkShown, 'running' | 'paused'> = { running: 0, paused: false };

  const show = (): void => {
    if (tray.isDestroyed()) return;
    tray.setImage(waiting.length > 0 ? pictures.waiting : pictures.quiet);
    tray.setToolTip(`Listing Companion. ${waitingLabel(waiting.length)}`);
    // Beside the picture; the other systems have no such place.
    if (process.platform === 'darwin') tray.setTitle(waiting.length > 0 ? String(waiting.length) : '');
    tray.setContextMenu(
      Menu.buildFromTemplate([
        ...approvalLines(waiting, review),
        { type: 'separator' },
        { id: 'work', label: workLabel(work), enabled: work.running > 0, click: () => showWindow('/') },
        { id: 'pause', label: 'Pause all', type: 'checkbox', checked: work.paused, click: () => pause(!work.paused) },
        { type: 'separator' },
        { id: 'open', label: 'Open Listing Companion', click: () => showWindow() },
        { id: 'quit', label: 'Quit', click: () => app.quit() },
      ]),
    );
  };

  show();
  tray.on('click', () => (waiting.length > 0 ? review() : showWindow()));
  return {
    showWaiting: (approvals: readonly ApprovalView[]): void => {
      waiting = approvals;
      show();
    },
    /** A menu that is set anew closes under the person's hand: it is, only when one of its lines reads differently. */
    showWork: ({ running, paused }: WorkShown): void => {
      if (workLabel({ running, paused }) === workLabel(work)) return;
      work = { running, paused };
      show();
    },
    bounds: (): Rectangle => (tray.isDestroyed() ? { x: 0, y: 0, width: 0, height: 0 } : tray.getBounds()),
  };
};
