import type { ReportStart } from '../core/companion/dataTasks/prepareData.ts';
import { toProblemView } from '../core/base/problem.ts';
import type { CallHandlers, CallReply } from '../ipc/calls.ts';
import { isStartCall, startCalls, type StartCallName, type StartView } from '../ipc/startCalls.ts';

type StartHandlers = Pick<CallHandlers, StartCallName>;

/** What a long start does, for the windows that open before the companion runs. */
export type StartReport = {
  read: () => StartView | null;
  report: ReportStart;
  /** The companion runs, or it could not start. */
  finish: () => void;
  onChanged: (listener: () => void) => () => void;
  handlers: StartHandlers;
  /** Answers the calls about the start at once, and passes the others on. */
  serve: (name: unknown, input: unknown, serveOthers: () => Promise<CallReply>) => Promise<CallReply>;
};

/** `restart` stops the companion and starts it. */
export const createStartReport = (restart: () => void | Promise<void>): StartReport => {
  const listeners = new Set<() => void>();
  let view: StartView | null = null;
  let cancelStage: (() => void) | undefined;
  const setView = (next: StartView | null): void => {
    view = next;
    for (const listener of listeners) listener();
  };
  const cancel = (): void => {
    cancelStage?.();
    if (view) setView({ ...view, isCancellable: false });
  };
  const handlers: StartHandlers = {
    'start.state': () => view,
    'start.cancel': cancel,
    'start.restart': restart,
  };
  return {
    read: () => view,
    report: (stage, cancelThis) => {
      cancelStage = cancelThis;
      if (stage) setView({ ...stage, isCancellable: cancelThis !== undefined });
      // After long work, opening the data can take a while, too.
      else if (view) setView({ name: 'open', progress: null, isCancellable: false });
    },
    finish: () => {
      if (view) setView(null);
    },
    onChanged: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    handlers,
    serve: async (name, input, serveOthers) => {
      // The server of the other calls refuses an invalid input.
      if (!isStartCall(name) || !startCalls[name].input.safeParse(input ?? undefined).success) return serveOthers();
      try {
        return { ok: true, value: (await handlers[name]({})) ?? null };
      } catch (error) {
        return { ok: false, problem: toProblemView(error) };
      }
    },
  };
};
