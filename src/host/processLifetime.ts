import type { Clock, Secrets, Log } from '../core/base/ports.ts';
import { toProblemView, type ProblemView } from '../core/base/problem.ts';

/**
 * Kills this process immediately, like a crash. Any other way waits for threads and for system calls that may never
 * return. Only for a process that hangs after everything else was stopped and written.
 */
export const killThisProcess = (): void => void process.kill(process.pid, 'SIGKILL');

/**
 * The signals that ask the companion to end: Ctrl-C, termination by the system, a closed terminal, and Ctrl-Break. On
 * Windows, a closed console sends `SIGHUP` and allows a few seconds.
 */
export const endSignals: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGBREAK'];

const checkEveryMs = 50;
/** File and name-lookup calls normally end within this time; otherwise they may never end. */
const maxWaitMs = 1_000;

/** System calls that Node runs in its thread pool. Node waits for them before the process can end. */
const inThreads = /^FSReq|^Get(Addr|Name)InfoReq/;

/**
 * Whether system calls are still open after everything has stopped, for example on a drive or network that does not
 * answer. Waits up to a second for them to end.
 */
export const hasPendingSystemCalls = async (clock: Clock): Promise<boolean> => {
  const hasOpenCalls = (): boolean => process.getActiveResourcesInfo().some((kind) => inThreads.test(kind));
  for (let left = maxWaitMs; hasOpenCalls() && left > 0; left -= checkEveryMs) await clock.sleep(checkEveryMs);
  return hasOpenCalls();
};

/** Wraps a keychain so that its callers can wait until all calls have settled. A call may wait for the person. */
export const trackPendingCalls = (secrets: Secrets): Secrets & { answered: () => Promise<void> } => {
  const open = new Set<Promise<unknown>>();
  const trackPendingCall = <T>(work: Promise<T>): Promise<T> => {
    const ended: Promise<void> = work
      .then(
        () => undefined,
        () => undefined,
      )
      .then(() => void open.delete(ended));
    open.add(ended);
    return work;
  };
  return {
    ...secrets,
    get: (name) => trackPendingCall(secrets.get(name)),
    set: (name, value) => trackPendingCall(secrets.set(name, value)),
    remove: (name) => trackPendingCall(secrets.remove(name)),
    answered: async () => void (await Promise.all(open)),
  };
};

/** Returns the part of an error that may be logged: its kind and code. Its text may contain private data. */
const describeErrorKind = (thrown: unknown): { kind: string; code?: string } => {
  const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code).slice(0, 64) : undefined;
  return { kind: thrown instanceof Error ? thrown.name : typeof thrown, ...(code === undefined ? {} : { code }) };
};

/**
 * Creates the function that converts the error of a window's call. An unexpected error shows no reason in the window,
 * so its kind is logged.
 */
export const createProblemReporter =
  (log: Log) =>
  (error: unknown, call: string): ProblemView => {
    const view = toProblemView(error);
    if (view.code === 'INTERNAL') log('error', 'window call failed', { call, ...describeErrorKind(error) });
    return view;
  };

/**
 * Logs unhandled rejections, which would otherwise end the process: one failed request must not stop the companion for
 * everyone. Only the kind is logged, because the text may contain private data. Returns a function that removes the
 * listener.
 */
export const logUnhandledRejections = (log: Log): (() => void) => {
  const logRejectionKind = (reason: unknown): void => {
    log('error', 'unhandled rejection', describeErrorKind(reason));
  };
  process.on('unhandledRejection', logRejectionKind);
  return () => void process.off('unhandledRejection', logRejectionKind);
};
