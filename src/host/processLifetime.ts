import type { Clock, Secrets, Log } from '../core/base/ports.ts';
import { problemView, type ProblemView } from '../core/base/problem.ts';

/**
 * Ends this process where it stands, as a crash would. Every other way waits for threads, and for calls to the system that
 * never return: for the end of a process in which something hangs, after everything else has been stopped and written.
 */
export const endProcess = (): void => void process.kill(process.pid, 'SIGKILL');

/**
 * What asks the companion to end: Ctrl-C, the system, the terminal that is closed, and Ctrl-Break. On Windows a closed
 * console says `SIGHUP` and leaves some seconds.
 */
export const endSignals: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGBREAK'];

const checkEveryMs = 50;
/** Files and names that are asked for end in this time, or nobody knows when. */
const longestMs = 1_000;

/** Calls to the system that Node makes in threads of its own, and waits for before it lets the process end. */
const inThreads = /^FSReq|^Get(Addr|Name)InfoReq/;

/**
 * Whether calls to the system are still open when everything has stopped: a file on a drive that does not answer, a name
 * that is looked up without a network. Those that end by themselves are waited for, for a second.
 */
export const hasPendingSystemCalls = async (clock: Clock): Promise<boolean> => {
  const isOpen = (): boolean => process.getActiveResourcesInfo().some((kind) => inThreads.test(kind));
  for (let left = longestMs; isOpen() && left > 0; left -= checkEveryMs) await clock.sleep(checkEveryMs);
  return isOpen();
};

/** A keychain of which one can ask whether everything that it was asked has been answered. It may wait for the person. */
export const trackPendingCalls = (secrets: Secrets): Secrets & { answered: () => Promise<void> } => {
  const open = new Set<Promise<unknown>>();
  const noted = <T>(work: Promise<T>): Promise<T> => {
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
    get: (name) => noted(secrets.get(name)),
    set: (name, value) => noted(secrets.set(name, value)),
    remove: (name) => noted(secrets.remove(name)),
    answered: async () => void (await Promise.all(open)),
  };
};

/** What may be written of something thrown: its text may hold anything, its kind does not. */
const kindOf = (thrown: unknown): { kind: string; code?: string } => {
  const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code).slice(0, 64) : undefined;
  return { kind: thrown instanceof Error ? thrown.name : typeof thrown, ...(code === undefined ? {} : { code }) };
};

/**
 * What a window is told of a call that failed. A failure that nobody foresaw is a sentence without a reason there, so its kind
 * is in the log.
 */
export const viewAndLog =
  (log: Log) =>
  (error: unknown, call: string): ProblemView => {
    const view = problemView(error);
    if (view.code === 'INTERNAL') log('error', 'a call of a window failed', { call, ...kindOf(error) });
    return view;
  };

/**
 * Notes a promise that failed with nobody waiting for it, where Node would end the process: whoever sent what made it
 * fail must not take the companion from everybody else. Its text may hold anything, so only its kind is written. Answers
 * what undoes it.
 */
export const logUnhandledRejections = (log: Log): (() => void) => {
  const note = (reason: unknown): void => {
    log('error', 'something failed that nobody waited for', kindOf(reason));
  };
  process.on('unhandledRejection', note);
  return () => void process.off('unhandledRejection', note);
};
