import { execFile } from 'node:child_process';
import type { FormatMessage } from '../../host/hostTranslator.ts';
import type { PlainNotice } from '../createNotifications.ts';
import type { WindowStateStore } from '../window/windowState.ts';

/** Runs a program. Returns its output, or null if it failed; rejects if the program is missing. */
export type RunProgram = (program: string, args: readonly string[]) => Promise<string | null>;

const watcher = 'org.kde.StatusNotifierWatcher';
const path = '/StatusNotifierWatcher';
const get = 'org.freedesktop.DBus.Properties.Get';
const property = 'IsStatusNotifierHostRegistered';

/** Programs that send D-Bus calls; every desktop has at least one of them. */
const dbusClients: readonly (readonly [string, readonly string[]])[] = [
  [
    'dbus-send',
    [
      ...['--session', '--print-reply=literal', '--reply-timeout=2000', `--dest=${watcher}`],
      ...[path, get, `string:${watcher}`, `string:${property}`],
    ],
  ],
  [
    'gdbus',
    ['call', '--session', '--timeout=2', '--dest', watcher, '--object-path', path, '--method', get, watcher, property],
  ],
];

const runSystemProgram: RunProgram = (program, args) =>
  new Promise((resolve, reject) => {
    execFile(program, [...args], { timeout: 5_000 }, (error, stdout) => {
      if (error === null) resolve(stdout);
      else if (error.code === 'ENOENT') reject(new Error(`${program} is not there`));
      else resolve(null);
    });
  });

/**
 * Whether the desktop shows the tray icon. Linux shows it only if a panel has registered as a host, which some desktops
 * lack. If no D-Bus client is available, the icon is assumed to be shown.
 */
export const isTrayShown = async (
  platform: NodeJS.Platform = process.platform,
  runProgram = runSystemProgram,
): Promise<boolean> => {
  if (platform !== 'linux') return true;
  for (const [program, args] of dbusClients) {
    try {
      return /\btrue\b/.test((await runProgram(program, args)) ?? '');
    } catch {
      // Not installed: try the next program.
    }
  }
  return true;
};

/** Tells the person once that closing the window leaves the companion running, and how to open it again. */
export const explainTrayOnce = (
  windowState: WindowStateStore,
  show: (notice: PlainNotice) => void,
  { format, isTrayShown }: { format: FormatMessage; isTrayShown: boolean },
): void => {
  // On macOS, closing a window never quits an app.
  if (process.platform === 'darwin' || windowState.now().trayExplained) return;
  windowState.change({ trayExplained: true });
  show({ title: format('shell.trayTitle'), text: format(isTrayShown ? 'shell.trayText' : 'shell.noTrayText') });
};
