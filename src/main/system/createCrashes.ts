import { app } from 'electron';
import type { Log } from '../../core/base/ports.ts';
import type { Crash } from '../../host/shell.ts';

const most = 20;

export type Crashes = ReturnType<typeof createCrashes>;

/** Keeps which processes of the app have gone by themselves, the newest last, and logs them once there is a log. */
export const createCrashes = (log: Promise<Log>) => {
  const kept: Crash[] = [];
  const note = (process: string, { reason, exitCode }: Pick<Crash, 'reason' | 'exitCode'>): void => {
    kept.push({ at: new Date().toISOString(), process, reason, exitCode });
    kept.splice(0, kept.length - most);
    void log.then((write) => write('error', 'a process of the app is gone', { process, reason, exitCode }));
  };
  // Chromium starts these anew by itself.
  app.on('child-process-gone', (_event, { type, name, serviceName, reason, exitCode }) => {
    if (reason !== 'clean-exit') note(name ?? serviceName ?? type, { reason, exitCode });
  });
  return { note, list: (): readonly Crash[] => kept };
};
