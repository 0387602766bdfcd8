import { execFile } from 'node:child_process';
import type { FormatMessage } from '../../host/hostTranslator.ts';
import type { PlainNotice } from '../createNotifications.ts';
import type { WindowStateStore } from '../window/windowState.ts';

/** Runs a program; answers what it said, or null where it failed; rejects where it is not there. */
export type RunProgram = (program: string, args: readonly string[]) => Promise<string | null>;

const watcher = 'org.kde.StatusNotifierWatcher';
const path = '/StatusNotifierWatcher';
const get = 'org.freedesktop.DBus.Properties.Get';
const property = 'IsStatusNotifierHostRegistered';

/** Programs that ask over the session's bus. One of them is on every desktop. */
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

const run: RunProgram = (program, args) =>
  new Promise((resolve, reject) => {
    execFile(program, [...args], { timeout: 5_000 }, (error, stdout) => {
      if (error === null) resolve(stdout);
      else if (error.code === 'ENOENT') reject(new Error(`${program} is not there`));
      else resolve(null);
    });
  });

/**
 * Whether the desktop shows the tray's picture. Linux takes one and shows it only where a panel has registered for it, which
 * some desktops lack; where nobody can be asked, it is taken to be shown.
 */
export const isTrayShown = async (platform: NodeJS.Platform = process.platform, ask = run): Promise<boolean> => {
  if (platform !== 'linux') return true;
  for (const [program, args] of dbusClients) {
    try {
      return /\btrue\b/.test((await ask(program, args)) ?? '');
    } catch {
      // Not installed: the next one.
    }
  }
  return true;
};

/** Tells the person, once ever, that a closed window leaves the companion running, and how to open it again. */
export const explainTray = (
  windowState: WindowStateStore,
  show: (notice: PlainNotice) => void,
  { format, isTrayShown }: { format: FormatMessage; isTrayShown: boolean },
): void => {
  // On a Mac, closing a window never ends an app.
  if (process.platform === 'darwin' || windowState.now().trayExplained) return;
  windowState.change({ trayExplained: true });
  show({ title: format('shell.trayTitle'), text: format(isTrayShown ? 'shell.trayText' : 'shell.noTrayText') });
};
