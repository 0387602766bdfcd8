import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { NoticeText } from '../host/noticeText.ts';

type Machine = { platform: NodeJS.Platform; env: NodeJS.ProcessEnv };

const timeoutMs = 10_000;

const hasSessionBus = (env: NodeJS.ProcessEnv): boolean => {
  const runtimeDir = env['XDG_RUNTIME_DIR'];
  return (
    Boolean(env['DBUS_SESSION_BUS_ADDRESS']) || (Boolean(runtimeDir) && existsSync(join(String(runtimeDir), 'bus')))
  );
};

export const createDesktopNotifier = ({ platform, env }: Machine = process): ((notice: NoticeText) => void) => {
  if (platform !== 'linux' || !hasSessionBus(env)) return () => undefined;
  return ({ title, text }) => {
    const args = ['--app-name=Listing Companion', '--', title, text];
    const child = spawn('notify-send', args, { env, stdio: 'ignore', timeout: timeoutMs });
    // notify-send might not be installed.
    child.once('error', () => undefined);
    child.unref();
  };
};
