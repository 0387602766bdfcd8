import {
  app,
  Menu,
  nativeImage,
  Tray,
  type MenuItemConstructorOptions,
  type NativeImage,
  type Rectangle,
} from 'electron';
import type { WorkProgress } from '../../host/watchCompanion.ts';
import type { HostTranslator } from '../../host/hostTranslator.ts';
import {
  createBatchPath,
  formatApprovalLabel,
  formatBatchLabel,
  formatPendingCount,
  formatWorkLabel,
  type PendingApproval,
} from './pendingApprovals.ts';
import { chooseTrayImage, type TrayImage } from './trayImage.ts';

export type CompanionTray = {
  showPending: (waiting: readonly PendingApproval[]) => void;
  showWork: (work: WorkProgress) => void;
  /** While a recovery runs, the menu begins with it, so that the person can stop one that they did not start. */
  showRecovery: (isRunning: boolean) => void;
  /** Empty if the system does not report the position of the icon. */
  bounds: () => Rectangle;
};

type TrayContext = {
  showWindow: (place?: string) => void;
  review: (approvalId?: string) => void;
  pause: (paused: boolean) => void;
  translator: HostTranslator;
};

/** More lines might not fit on a screen. */
const maxLines = 10;

const createPendingMenuItems = (
  waiting: readonly PendingApproval[],
  { showWindow, review, translator }: Pick<TrayContext, 'showWindow' | 'review' | 'translator'>,
): MenuItemConstructorOptions[] => {
  const count = waiting.length;
  const lines = waiting
    .slice(0, maxLines)
    .map(({ id, ...asked }) =>
      'batch' in asked
        ? { id, label: formatBatchLabel(asked.batch, translator), click: () => showWindow(createBatchPath(id)) }
        : { id, label: formatApprovalLabel(asked.approval.prompt, translator), click: () => review(id) },
    );
  return [
    { id: 'waiting', label: formatPendingCount(count, translator.format), enabled: count > 0, click: () => review() },
    ...lines,
    ...(count > maxLines
      ? [{ label: translator.format('shell.moreWaiting', { count: count - maxLines }), click: () => review() }]
      : []),
  ];
};

const createRecoveryMenuItems = ({
  showWindow,
  translator,
}: Pick<TrayContext, 'showWindow' | 'translator'>): MenuItemConstructorOptions[] => [
  { id: 'recovery', label: translator.format('notices.recoveryRuns'), click: () => showWindow('/settings') },
  { type: 'separator' },
];

const toNativeImage = ({ scales, isTemplate }: TrayImage): NativeImage => {
  const [only, ...others] = scales;
  if (only !== undefined && others.length === 0) return nativeImage.createFromDataURL(only.dataURL);
  const image = nativeImage.createEmpty();
  for (const scale of scales) image.addRepresentation(scale);
  image.setTemplateImage(isTemplate);
  return image;
};

export const createTray = ({ showWindow, review, pause, translator }: TrayContext): CompanionTray => {
  const pictures = {
    quiet: toNativeImage(chooseTrayImage('quiet', process.platform)),
    waiting: toNativeImage(chooseTrayImage('waiting', process.platform)),
  };
  const { format } = translator;
  const tray = new Tray(pictures.quiet);
  let waiting: readonly PendingApproval[] = [];
  let work: Pick<WorkProgress, 'running' | 'paused'> = { running: 0, paused: false };
  let isRecovering = false;

  const redrawTray = (): void => {
    if (tray.isDestroyed()) return;
    const count = waiting.length;
    tray.setImage(count > 0 ? pictures.waiting : pictures.quiet);
    tray.setToolTip(`Listing Companion. ${formatPendingCount(count, format)}`);
    // Only macOS shows a text next to the icon.
    if (process.platform === 'darwin') tray.setTitle(count > 0 ? String(count) : '');
    tray.setContextMenu(
      Menu.buildFromTemplate([
        ...(isRecovering ? createRecoveryMenuItems({ showWindow, translator }) : []),
        ...createPendingMenuItems(waiting, { showWindow, review, translator }),
        { type: 'separator' },
        { id: 'work', label: formatWorkLabel(work, format), enabled: work.running > 0, click: () => showWindow('/') },
        {
          id: 'pause',
          label: format('shell.pauseAll'),
          type: 'checkbox',
          checked: work.paused,
          click: () => pause(!work.paused),
        },
        { type: 'separator' },
        { id: 'open', label: format('shell.open'), click: () => showWindow() },
        { id: 'quit', label: format('shell.quitNow'), click: () => app.quit() },
      ]),
    );
  };

  redrawTray();
  translator.onLanguageChanged(redrawTray);
  tray.on('click', () => (waiting.length > 0 ? review() : showWindow()));
  return {
    showPending: (pendingList) => {
      waiting = pendingList;
      redrawTray();
    },
    /** An open menu closes when it is replaced, so the menu is replaced only if a label changes. */
    showWork: ({ running, paused }) => {
      if (formatWorkLabel({ running, paused }, format) === formatWorkLabel(work, format)) return;
      work = { running, paused };
      redrawTray();
    },
    showRecovery: (isRunning) => {
      if (isRunning === isRecovering) return;
      isRecovering = isRunning;
      redrawTray();
    },
    bounds: () => (tray.isDestroyed() ? { x: 0, y: 0, width: 0, height: 0 } : tray.getBounds()),
  };
};
