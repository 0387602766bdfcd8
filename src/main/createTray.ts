import { app, Menu, nativeImage, Tray, type MenuItemConstructorOptions, type Rectangle } from 'electron';
import type { ApprovalView } from '../core/approvals/approval.ts';
import type { WorkShown } from '../host/watchWork.ts';
import type { HostWords } from '../host/words.ts';
import { approvalLabel, waitingLabel, workLabel } from './trayLabels.ts';
import { trayPicture, waitingPicture } from './trayPicture.ts';

type Parts = {
  showWindow: (place?: string) => void;
  review: (approvalId?: string) => void;
  pause: (paused: boolean) => void;
  words: HostWords;
};

/** More would not fit on a screen; the last line stands for the others. */
const mostLines = 10;

const approvalLines = (
  waiting: readonly ApprovalView[],
  { review, words }: Pick<Parts, 'review' | 'words'>,
): MenuItemConstructorOptions[] => [
  { id: 'waiting', label: waitingLabel(waiting.length, words.say), enabled: waiting.length > 0, click: () => review() },
  ...waiting.slice(0, mostLines).map((approval) => ({
    id: approval.approvalId,
    label: approvalLabel(approval.prompt, words),
    click: () => review(approval.approvalId),
  })),
  ...(waiting.length > mostLines
    ? [{ label: words.say('shell.moreWaiting', { count: waiting.length - mostLines }), click: () => review() }]
    : []),
];

/** The companion's place beside the clock: what waits for the person, what runs, pausing it all, and quitting. */
export const createTray = ({ showWindow, review, pause, words }: Parts) => {
  const pictures = {
    quiet: nativeImage.createFromDataURL(trayPicture),
    waiting: nativeImage.createFromDataURL(waitingPicture),
  };
  const { say } = words;
  const tray = new Tray(pictures.quiet);
  let waiting: readonly ApprovalView[] = [];
  let work: Pick<WorkShown, 'running' | 'paused'> = { running: 0, paused: false };

  const show = (): void => {
    if (tray.isDestroyed()) return;
    tray.setImage(waiting.length > 0 ? pictures.waiting : pictures.quiet);
    tray.setToolTip(`Listing Companion. ${waitingLabel(waiting.length, say)}`);
    // Beside the picture; the other systems have no such place.
    if (process.platform === 'darwin') tray.setTitle(waiting.length > 0 ? String(waiting.length) : '');
    tray.setContextMenu(
      Menu.buildFromTemplate([
        ...approvalLines(waiting, { review, words }),
        { type: 'separator' },
        { id: 'work', label: workLabel(work, say), enabled: work.running > 0, click: () => showWindow('/') },
        {
          id: 'pause',
          label: say('shell.pauseAll'),
          type: 'checkbox',
          checked: work.paused,
          click: () => pause(!work.paused),
        },
        { type: 'separator' },
        { id: 'open', label: say('shell.open'), click: () => showWindow() },
        { id: 'quit', label: say('shell.quitNow'), click: () => app.quit() },
      ]),
    );
  };

  show();
  words.onTurned(show);
  tray.on('click', () => (waiting.length > 0 ? review() : showWindow()));
  return {
    showWaiting: (approvals: readonly ApprovalView[]): void => {
      waiting = approvals;
      show();
    },
    /** A menu that is set anew closes under the person's hand: it is, only when one of its lines reads differently. */
    showWork: ({ running, paused }: WorkShown): void => {
      if (workLabel({ running, paused }, say) === workLabel(work, say)) return;
      work = { running, paused };
      show();
    },
    bounds: (): Rectangle => (tray.isDestroyed() ? { x: 0, y: 0, width: 0, height: 0 } : tray.getBounds()),
  };
};
