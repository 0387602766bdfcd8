import { execFile } from 'node:child_process';
import type { FormatMessage } from '../../host/hostTranslator.ts';
import type { PlainNotice } from '../createNotifications.ts';
import type { WindowStateStore } from '../window/windowState.ts';

/** Returns the output of a program, or null if the program fails. The promise rejects if the program does not exist. */
export type RunProgram = (program: string, args: readonly string[]) => Promise<string | null>;

const watcher = 'org.kde.StatusNotifierWatcher';
const path = '/StatusNotifierWatcher';
const get = 'org.freedesktop.DBus.Properties.Get';
const property = 'IsStatusNotifierHostRegistered';

/** Almost every desktop has one of these programs. */
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

/** Linux shows a tray icon only if a panel has registered as a host. Returns true if no D-Bus client is installed. */
export const isTrayShown = async (
  platform: NodeJS.Platform = process.platform,
  runProgram = runSystemProgram,
): Promise<boolean> => {
  if (platform !== 'linux') return true;
  for (const [program, args] of dbusClients) {
    try {
      return /\btrue\b/.test((await runProgram(program, args)) ?? '');
    } catch {
      // The program is not installed, so the loop tries the next program.
    }
  }
  return true;
};

export const explainTrayOnce = (
  windowState: WindowStateStore,
  show: (notice: PlainNotice) => void,
  { format, isTrayShown }: { format: FormatMessage; isTrayShown: boolean },
): void => {
  // On macOS, no app quits when its window closes, so no explanation is needed.
  if (process.platform === 'darwin' || windowState.now().trayExplained) return;
  windowState.change({ trayExplained: true });
  show({ title: format('shell.trayTitle'), text: format(isTrayShown ? 'shell.trayText' : 'shell.noTrayText') });
};
