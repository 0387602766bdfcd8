import type { Log } from '../core/base/ports.ts';

/**
 * Notes a promise that failed with nobody waiting for it, where Node would end the process: whoever sent what made it
 * fail must not take the companion from everybody else. Its text may hold anything, so only its kind is written. Answers
 * what undoes it.
 */
export const outliveRejections = (log: Log): (() => void) => {
  const note = (reason: unknown): void => {
    const code = reason instanceof Error && 'code' in reason ? String(reason.code).slice(0, 64) : undefined;
    const kind = reason instanceof Error ? reason.name : typeof reason;
    log('error', 'something failed that nobody waited for', { kind, ...(code === undefined ? {} : { code }) });
  };
  process.on('unhandledRejection', note);
  return () => void process.off('unhandledRejection', note);
};
