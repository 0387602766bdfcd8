import type { Clock, Secrets, Log } from '../core/base/ports.ts';
import { toProblemView, type ProblemView } from '../core/base/problem.ts';

/**
 * Every other way to exit waits for system calls that might never return. Call this only after all parts have stopped.
 */
export const killThisProcess = (): void => void process.kill(process.pid, 'SIGKILL');

/** These signals ask the companion to end. When a console closes, Windows sends `SIGHUP` and allows a few seconds. */
export const endSignals: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGBREAK'];

const checkEveryMs = 50;
/** A system call that takes longer than this might never end. */
const maxWaitMs = 1_000;

/** Node runs these system calls in its thread pool and waits for them before the process can end. */
const inThreads = /^FSReq|^Get(Addr|Name)InfoReq/;

/**
 * Waits up to one second for open system calls. Returns whether one is still open, for example because a network drive
 * does not answer.
 */
export const hasPendingSystemCalls = async (clock: Clock): Promise<boolean> => {
  const hasOpenCalls = (): boolean => process.getActiveResourcesInfo().some((kind) => inThreads.test(kind));
  for (let left = maxWaitMs; hasOpenCalls() && left > 0; left -= checkEveryMs) await clock.sleep(checkEveryMs);
  return hasOpenCalls();
};

/** Wraps a keychain so that `answered` waits for all open calls. The person might have to unlock the keychain first. */
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

const getErrorFacts = (thrown: unknown): { kind: string; code?: string } => {
  const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code).slice(0, 64) : undefined;
  return { kind: thrown instanceof Error ? thrown.name : typeof thrown, ...(code === undefined ? {} : { code }) };
};

export const createProblemReporter =
  (log: Log) =>
  (error: unknown, call: string): ProblemView => {
    const view = toProblemView(error);
    if (view.code === 'INTERNAL') log('error', 'window call failed', { call, ...getErrorFacts(error) });
    return view;
  };

/** Without a listener, Node would end the process. The error's text might contain private data, so it is not logged. */
export const logUnhandledRejections = (log: Log): (() => void) => {
  const logRejectionKind = (reason: unknown): void => {
    log('error', 'unhandled rejection', getErrorFacts(reason));
  };
  process.on('unhandledRejection', logRejectionKind);
  return () => void process.off('unhandledRejection', logRejectionKind);
};
