import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { noticeLengths, type Notice } from '../core/ports.ts';
import { plainLine } from '../host/plainLine.ts';

type Words = Pick<Notice, 'title' | 'text'>;
type Machine = { platform: NodeJS.Platform; env: NodeJS.ProcessEnv };

/** A notification that the desktop has not taken by then is given up. */
const patienceMs = 10_000;

const hasSessionBus = (env: NodeJS.ProcessEnv): boolean => {
  const runtimeDir = env['XDG_RUNTIME_DIR'];
  return (
    Boolean(env['DBUS_SESSION_BUS_ADDRESS']) || (Boolean(runtimeDir) && existsSync(join(String(runtimeDir), 'bus')))
  );
};

/** Desktops read markup, and notify-send reads backslashes: neither may come from somebody else's text. */
const harmless: Readonly<Record<string, string>> = { '<': '‹', '>': '›', '\\': '∖' };
const words = (text: string, most: number): string =>
  plainLine(text, most).replace(/[<>\\]/g, (char) => harmless[char] ?? '');

/** Shows notices on the desktop of Linux by notify-send; does nothing where there is no session bus or no notify-send. */
export const desktopNotifier = ({ platform, env }: Machine = process): ((words: Words) => void) => {
  if (platform !== 'linux' || !hasSessionBus(env)) return () => undefined;
  return ({ title, text }) => {
    const args = [
      '--app-name=Listing Companion',
      '--',
      words(title, noticeLengths.title),
      words(text, noticeLengths.text),
    ];
    const child = spawn('notify-send', args, { env, stdio: 'ignore', timeout: patienceMs });
    // Most often: it is not installed.
    child.once('error', () => undefined);
    child.unref();
  };
};
