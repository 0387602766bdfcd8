import { app, crashReporter } from 'electron';
import { join } from 'node:path';
import { systemClock } from '../../core/base/clock.ts';
import type { Log } from '../../core/base/ports.ts';
import type { Crash } from '../../host/shell.ts';

/** Must be called before the app is ready. Crash dumps are never uploaded. */
export const startCrashReporter = (dataDir: string): void => {
  app.setPath('crashDumps', join(dataDir, 'crashes'));
  crashReporter.start({ uploadToServer: false });
};

const maxKept = 20;

export type CrashLog = {
  note: (process: string, crash: Pick<Crash, 'reason' | 'exitCode'>) => void;
  list: () => readonly Crash[];
};

export const createCrashLog = (log: Promise<Log>): CrashLog => {
  const kept: Crash[] = [];
  const note: CrashLog['note'] = (process, { reason, exitCode }) => {
    kept.push({ at: new Date(systemClock.now()).toISOString(), process, reason, exitCode });
    kept.splice(0, kept.length - maxKept);
    void log.then((write) => write('error', 'child process gone', { process, reason, exitCode }));
  };
  // Chromium restarts these processes itself.
  app.on('child-process-gone', (_event, { type, name, serviceName, reason, exitCode }) => {
    if (reason !== 'clean-exit') note(name ?? serviceName ?? type, { reason, exitCode });
  });
  return { note, list: () => kept };
};
