import { setTimeout as wait } from 'node:timers/promises';
import type { Message } from './frames.ts';
import type { ProcessEnd, IsolatedProcess } from './startIsolated.ts';

export type ClientProcess = Pick<IsolatedProcess, 'send' | 'keepParentAlive' | 'kill' | 'ended'> & {
  facts: Readonly<Record<string, string>>;
};
export type StartProcess = (onMessage: (message: Message) => void) => Promise<ClientProcess>;

/**
 * Thrown if a job is lost. `blamed`: the job ended the process. `suspected`: this job or another job ended it.
 * `innocent`: another cause ended it. `unstarted`: no process could be started.
 */
export class JobLost extends Error {
  override readonly name = 'JobLost';
  readonly guilt: 'blamed' | 'suspected' | 'innocent' | 'unstarted';
  constructor(guilt: JobLost['guilt']) {
    super(guilt === 'unstarted' ? 'No process could be started.' : 'The process ended while it had this job in work.');
    this.guilt = guilt;
  }
}

/**
 * Why a job has no result. `died`: its thread ended. `cancelled`: the caller cancelled it. `stuck`: its thread did not
 * end in time.
 */
type JobFailure = { type: 'died' | 'cancelled' | 'stuck'; id: number };

export type JobOutput<Result> = { result: Result; pictures: readonly Uint8Array[] };

/**
 * Ending the idle process frees its memory, but starting it again takes a third of a second, so it ends only after this
 * time.
 */
const idleEndMs = 15_000;
/** A decoder does not react to the termination of its thread. After this time the whole process is ended. */
const maxStopMs = 5_000;
/** After the process has ended this many times in a row without a result, it is started at most once per second. */
const maxEndsInRow = 20;
/** After this many failed starts, jobs are rejected so that they do not wait forever. */
const maxFailedStarts = 5;

type ProcessPorts = {
  sleep: (ms: number, signal?: AbortSignal) => Promise<unknown>;
  log: (level: 'info' | 'warn', sentence: string, facts?: Record<string, string>) => void;
};
/** The default timer does not keep the calling process alive. */
export type OptionalProcessPorts = { [Port in keyof ProcessPorts]?: ProcessPorts[Port] | undefined };

type ProcessOptions = ProcessPorts & {
  start: StartProcess;
  sentences: { started: string; ended: string; held: string };
};
type Options<Request, Result> = Omit<ProcessOptions, keyof ProcessPorts> & {
  answersWithinMs: number;
  read: (head: unknown) => Result | JobFailure | null;
  fits: (request: Request, made: JobOutput<Result>) => boolean;
};

type PendingJob<Request, Result> = {
  request: Request;
  finish: (made: JobOutput<Result>) => void;
  fail: (lost: JobLost) => void;
  limit: AbortController;
  isLate: boolean;
};

const createJobTable = <Request, Result>(onNone: () => void) => {
  const jobs = new Map<number, PendingJob<Request, Result>>();
  const removeJob = (id: number): PendingJob<Request, Result> | undefined => {
    const job = jobs.get(id);
    job?.limit.abort();
    if (jobs.delete(id) && jobs.size === 0) onNone();
    return job;
  };
  return {
    get: (id: number): PendingJob<Request, Result> | undefined => jobs.get(id),
    has: (id: number): boolean => jobs.has(id),
    noteLate: (id: number): void => void Object.assign(jobs.get(id) ?? {}, { isLate: true }),
    count: (): number => jobs.size,
    add: (id: number, request: Request, onStart: (isOver: AbortSignal) => void): Promise<JobOutput<Result>> => {
      const limit = new AbortController();
      const made = new Promise<JobOutput<Result>>((finish, fail) => {
        jobs.set(id, { request, finish, fail, limit, isLate: false });
      });
      onStart(limit.signal);
      // The job can be lost before the caller awaits the promise, which would be an unhandled rejection.
      made.catch(() => undefined);
      return made;
    },
    finish: (id: number, made: JobOutput<Result>): void => removeJob(id)?.finish(made),
    lose: (id: number, guilt: JobLost['guilt']): void => removeJob(id)?.fail(new JobLost(guilt)),
    loseAll: (guilt: JobLost['guilt']): void => {
      for (const id of [...jobs.keys()]) removeJob(id)?.fail(new JobLost(guilt));
    },
  };
};

type RunningProcess = { process: Promise<ClientProcess | null> };

/**
 * Keeps at most one process and starts a new one when it is needed. `onEnd` is called if the process ends unexpectedly.
 */
const createRestartingProcess = (
  { start, sleep, log, sentences }: ProcessOptions,
  onMessage: (message: Message) => void,
  onEnd: (cause: 'outside' | 'itself' | 'unstarted') => void,
) => {
  const living = new Set<Promise<unknown>>();
  let current: RunningProcess | null = null;
  let [endsInRow, failedStarts] = [0, 0];
  let isKnown = false;
  const logFirstStart = ({ facts }: ClientProcess): void => {
    if (!isKnown) log('info', sentences.started, { ...facts });
    isKnown = true;
  };

  const startNewProcess = async (mine: RunningProcess): Promise<ClientProcess | null> => {
    const handleProcessEnd = ({ cause, how }: ProcessEnd): void => {
      if (current !== mine) return;
      current = null;
      endsInRow += 1;
      failedStarts = cause === 'start' ? failedStarts + 1 : 0;
      log('warn', sentences.ended, { cause, how });
      onEnd(failedStarts >= maxFailedStarts ? 'unstarted' : cause === 'itself' ? 'itself' : 'outside');
    };
    try {
      if (endsInRow > maxEndsInRow) await sleep(1_000);
      const made = await start((message) => {
        if (current === mine) onMessage(message);
      });
      logFirstStart(made);
      living.add(made.ended);
      void made.ended.then((end) => {
        living.delete(made.ended);
        handleProcessEnd(end);
      });
      return made;
    } catch (error) {
      handleProcessEnd({ cause: 'start', how: error instanceof Error ? error.message : String(error) });
      return null;
    }
  };

  return {
    /** The `process` promise of the returned object resolves to null if the process cannot be started. */
    take: (): RunningProcess => {
      if (current) return current;
      const mine: RunningProcess = { process: Promise.resolve(null) };
      current = mine;
      mine.process = startNewProcess(mine);
      return mine;
    },
    isCurrent: (mine: RunningProcess): boolean => current === mine,
    current: (): RunningProcess | null => current,
    answered: (): void => void (endsInRow = 0),
    /** Ends the process and ignores its later messages. If `left` is true, the function does not wait for its exit. */
    end: async ({ left = false } = {}): Promise<void> => {
      const mine = current;
      current = null;
      const ending = await mine?.process;
      ending?.keepParentAlive(!left);
      ending?.kill();
      if (!left) await Promise.all(living);
    },
  };
};

const isJobFailure = (message: { type: string }): message is JobFailure =>
  message.type === 'died' || message.type === 'cancelled' || message.type === 'stuck';

const createCancelMessage = (id: number): Message => ({ head: { type: 'cancel', id }, parts: [] });

const endWhenIdle = async (
  running: ReturnType<typeof createRestartingProcess>,
  sleep: ProcessOptions['sleep'],
  signal: AbortSignal,
): Promise<void> => {
  const mine = running.current();
  const idle = await mine?.process;
  if (!mine || !idle || signal.aborted) return;
  idle.keepParentAlive(false);
  await sleep(idleEndMs, signal).catch(() => undefined);
  if (!signal.aborted && running.isCurrent(mine)) await running.end();
};

const sendJobMessage = (
  process: ClientProcess,
  { head, parts }: Message & { head: { id: number } },
  { signal, made }: { signal: AbortSignal; made: Promise<unknown> },
): Promise<void> => {
  const onAbort = (): void => void process.send(createCancelMessage(head.id));
  const onAnswer = (): void => signal.removeEventListener('abort', onAbort);
  const sent = process.send({ head, parts });
  if (signal.aborted) onAbort();
  signal.addEventListener('abort', onAbort, { once: true });
  made.then(onAnswer, onAnswer);
  return sent;
};

/**
 * A process can answer before it has read the whole request. `onLate` is called if the process does not read all bytes
 * in time.
 */
const waitUntilSent = async (
  sent: Promise<void>,
  sleep: ProcessOptions['sleep'],
  onLate: () => void,
): Promise<void> => {
  const isOver = new AbortController();
  void sleep(maxStopMs, isOver.signal).then(onLate, () => undefined);
  await sent;
  isOver.abort();
};

const createLostJobHandlers = (
  { log, sentences }: ProcessOptions,
  jobs: Pick<ReturnType<typeof createJobTable>, 'lose' | 'loseAll' | 'count'>,
  end: () => void,
) => {
  const loseAllJobs = (): void => jobs.loseAll(jobs.count() > 1 ? 'suspected' : 'blamed');
  return {
    loseAllJobs,
    handleBlockingJob: (id: number): void => {
      log('warn', sentences.held);
      end();
      jobs.lose(id, 'blamed');
      jobs.loseAll('innocent');
    },
    handleInvalidMessage: (): void => {
      log('warn', sentences.ended, { cause: 'itself', how: 'it sent a message outside of a request' });
      end();
      loseAllJobs();
    },
  };
};

const createMessageHandler =
  <Request, Result extends { type: string; id: number }>(
    { read, fits }: Pick<Options<Request, Result>, 'read' | 'fits'>,
    jobs: Pick<ReturnType<typeof createJobTable<Request, Result>>, 'get' | 'finish' | 'lose'>,
    losses: Pick<ReturnType<typeof createLostJobHandlers>, 'handleBlockingJob' | 'handleInvalidMessage'>,
    onResult: () => void,
  ) =>
  ({ head, parts }: Message): void => {
    const message = read(head);
    const job = message && jobs.get(message.id);
    // Each job is answered once, so a message about an unknown or finished job is invalid.
    if (!message || !job) return losses.handleInvalidMessage();
    if (!isJobFailure(message)) {
      const made = { result: message, pictures: parts };
      if (!fits(job.request, made)) return losses.handleInvalidMessage();
      onResult();
      return jobs.finish(message.id, made);
    }
    if (message.type === 'stuck') losses.handleBlockingJob(message.id);
    else jobs.lose(message.id, message.type === 'died' || job.isLate ? 'blamed' : 'innocent');
  };

const sleepUnreferenced: ProcessPorts['sleep'] = (ms, signal) =>
  wait(ms, undefined, { ref: false, ...(signal && { signal }) });

/**
 * Creates the client of a process that runs jobs on bytes. The process starts with the first job and ends when it is
 * idle. If the process ends earlier or sends an invalid message, all its jobs are lost.
 */
export const createProcessClient = <Request extends { type: string }, Result extends { type: string; id: number }>({
  sleep = sleepUnreferenced,
  log = () => undefined,
  ...given
}: Options<Request, Result> & OptionalProcessPorts) => {
  const options = { ...given, sleep, log };
  let [resting, lastId, closed] = [new AbortController(), 0, false];

  const scheduleIdleEnd = (): void => {
    resting = new AbortController();
    void endWhenIdle(running, sleep, resting.signal);
  };
  const jobs = createJobTable<Request, Result>(scheduleIdleEnd);

  const losses = createLostJobHandlers(options, jobs, () => void running.end());
  const cancelLateJob = async (id: number, process: RunningProcess['process'], isOver: AbortSignal): Promise<void> => {
    await sleep(given.answersWithinMs, isOver);
    jobs.noteLate(id);
    void process.then((it) => it?.send(createCancelMessage(id)));
    await sleep(maxStopMs, isOver);
    losses.handleBlockingJob(id);
  };
  const begin = (): void => {
    if (closed || jobs.count() > 0) return;
    resting.abort();
    running.take();
    scheduleIdleEnd();
  };

  const running = createRestartingProcess(
    options,
    createMessageHandler(options, jobs, losses, () => running.answered()),
    (cause) => {
      if (cause === 'itself') losses.loseAllJobs();
      else jobs.loseAll(cause === 'outside' ? 'innocent' : 'unstarted');
    },
  );

  return {
    /** Starts the process before the first job arrives. */
    begin,
    /**
     * Runs a job. Rejects with `JobLost`, or with the signal's reason if the signal is already aborted. `original` is
     * no longer read after the promise resolves or rejects.
     */
    ask: async (request: Request, original: Uint8Array, signal: AbortSignal): Promise<JobOutput<Result>> => {
      signal.throwIfAborted();
      if (closed) throw new JobLost('innocent');
      const id = (lastId += 1);
      resting.abort();
      const { process: starting } = running.take();
      const made = jobs.add(id, request, (isOver) => void cancelLateJob(id, starting, isOver).catch(() => undefined));
      const process = await starting;
      if (!process || !jobs.has(id)) return made;
      process.keepParentAlive(true);
      const sent = sendJobMessage(process, { head: { ...request, id }, parts: [original] }, { signal, made });
      return made.finally(() => waitUntilSent(sent, sleep, losses.handleInvalidMessage));
    },
    /**
     * Ends the process. If `left` is true, the function does not wait for the exit, because freeing the memory takes as
     * long as decoding a photo.
     */
    close: (how?: { left: boolean }): Promise<void> => {
      closed = true;
      resting.abort();
      const ended = running.end(how);
      jobs.loseAll('innocent');
      return ended;
    },
  };
};
