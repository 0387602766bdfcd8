import type { Message } from './frames.ts';
import type { End, IsolatedProcess } from './startIsolated.ts';

/** An isolated process as its client sees it: locked, and holding nothing. */
export type ClientProcess = Pick<IsolatedProcess, 'send' | 'hold' | 'kill' | 'ended'> & {
  /** What runs it, what stands around it, and how it does its work. */
  facts: Readonly<Record<string, string>>;
};
export type StartProcess = (onMessage: (message: Message) => void) => Promise<ClientProcess>;

/**
 * A job came to nothing. `blamed`: by what it did; `suspected`: by that, or by another job beside it; `innocent`: by neither;
 * `unstarted`: no process could be started for it.
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
 * What became of a job that has no result. `died`: its thread ended, and nothing of it is left; `cancelled`: the same, as
 * was wished; `stuck`: its thread should have ended and has not.
 */
type Fate = { type: 'died' | 'cancelled' | 'stuck'; id: number };

/** What came of a job, with the pictures that belong to it. */
export type Made<Result> = { result: Result; pictures: readonly Uint8Array[] };

/** Starting a process anew takes a third of a second; a process that ends gives all its memory back. */
const restAfterMs = 15_000;
/** A thread inside a decoder does not hear that it is to end; after this the process is ended with it. */
const stopsWithinMs = 5_000;
/** So many ends without a single result are no accident: then it is started once a second at most. */
const mostEndsInRow = 20;
/** So many starts without success are no accident: then jobs are given up, and not kept waiting for ever. */
const mostFailedStarts = 5;

type ProcessOptions = {
  start: StartProcess;
  /** Waits, without keeping this process alive; rejects when the signal is aborted. */
  sleep: (ms: number, signal?: AbortSignal) => Promise<unknown>;
  log: (level: 'info' | 'warn', sentence: string, facts?: Record<string, string>) => void;
  /** What the log says of the process: that it has started, that it has ended, and that a job held it. */
  sentences: { started: string; ended: string; held: string };
};
type Options<Request, Result> = ProcessOptions & {
  /** Past this a job is given up, in ms: nobody answers any more. */
  answersWithinMs: number;
  /** Reads what the process sends; null when it is nothing that it may send. */
  read: (head: unknown) => Result | Fate | null;
  /** Whether a result is one of what was asked for. */
  fits: (request: Request, made: Made<Result>) => boolean;
};

type Job<Request, Result> = {
  request: Request;
  finish: (made: Made<Result>) => void;
  fail: (lost: JobLost) => void;
  limit: AbortController;
  isLate: boolean;
};

/** The jobs that are in the process, by their numbers. `onNone` is called when the last one has left. */
const createJobs = <Request, Result>(onNone: () => void) => {
  const jobs = new Map<number, Job<Request, Result>>();
  const take = (id: number): Job<Request, Result> | undefined => {
    const job = jobs.get(id);
    job?.limit.abort();
    if (jobs.delete(id) && jobs.size === 0) onNone();
    return job;
  };
  return {
    get: (id: number): Job<Request, Result> | undefined => jobs.get(id),
    has: (id: number): boolean => jobs.has(id),
    noteLate: (id: number): void => void Object.assign(jobs.get(id) ?? {}, { isLate: true }),
    count: (): number => jobs.size,
    /** `isOver` is aborted when the job leaves. */
    add: (id: number, request: Request, onStart: (isOver: AbortSignal) => void): Promise<Made<Result>> => {
      const limit = new AbortController();
      const made = new Promise<Made<Result>>((finish, fail) => {
        jobs.set(id, { request, finish, fail, limit, isLate: false });
      });
      onStart(limit.signal);
      // It may be lost before the process has started, and anybody waits for it.
      made.catch(() => undefined);
      return made;
    },
    finish: (id: number, made: Made<Result>): void => take(id)?.finish(made),
    lose: (id: number, guilt: JobLost['guilt']): void => take(id)?.fail(new JobLost(guilt)),
    loseAll: (guilt: JobLost['guilt']): void => {
      for (const id of [...jobs.keys()]) take(id)?.fail(new JobLost(guilt));
    },
  };
};

type Running = { process: Promise<ClientProcess | null> };

/** One process at a time: started when it is needed, started anew after it ended. `onEnd` hears of ends that nobody asked for. */
const createProcess = (
  { start, sleep, log, sentences }: ProcessOptions,
  onMessage: (message: Message) => void,
  onEnd: (cause: 'outside' | 'itself' | 'unstarted') => void,
) => {
  const living = new Set<Promise<unknown>>();
  let current: Running | null = null;
  let [endsInRow, failedStarts] = [0, 0];
  let isKnown = false;
  /** Once: it is started alike each time. */
  const note = ({ facts }: ClientProcess): void => {
    if (!isKnown) log('info', sentences.started, { ...facts });
    isKnown = true;
  };

  const begin = async (mine: Running): Promise<ClientProcess | null> => {
    const ended = ({ cause, how }: End): void => {
      if (current !== mine) return;
      current = null;
      endsInRow += 1;
      failedStarts = cause === 'start' ? failedStarts + 1 : 0;
      log('warn', sentences.ended, { cause, how });
      onEnd(failedStarts >= mostFailedStarts ? 'unstarted' : cause === 'itself' ? 'itself' : 'outside');
    };
    try {
      if (endsInRow > mostEndsInRow) await sleep(1_000);
      const made = await start((message) => {
        if (current === mine) onMessage(message);
      });
      note(made);
      living.add(made.ended);
      void made.ended.then((end) => {
        living.delete(made.ended);
        ended(end);
      });
      return made;
    } catch (error) {
      ended({ cause: 'start', how: error instanceof Error ? error.message : String(error) });
      return null;
    }
  };

  return {
    /** The one that runs, or a new one. Its process is null when it could not be started. */
    take: (): Running => {
      if (current) return current;
      const mine: Running = { process: Promise.resolve(null) };
      current = mine;
      mine.process = begin(mine);
      return mine;
    },
    isCurrent: (mine: Running): boolean => current === mine,
    current: (): Running | null => current,
    answered: (): void => void (endsInRow = 0),
    /** Ends the one that runs; it is not heard of any more. Waits until it is no more, unless it is `left` to the system. */
    end: async ({ left = false } = {}): Promise<void> => {
      const mine = current;
      current = null;
      const ending = await mine?.process;
      ending?.hold(!left);
      ending?.kill();
      if (!left) await Promise.all(living);
    },
  };
};

const isFate = (message: { type: string }): message is Fate =>
  message.type === 'died' || message.type === 'cancelled' || message.type === 'stuck';

/** That a job is not wanted any more. */
const cancelled = (id: number): Message => ({ head: { type: 'cancel', id }, parts: [] });

/** Ends the process that runs when it has had no job for some seconds. The signal is aborted when there is one. */
const endAfterRest = async (
  running: ReturnType<typeof createProcess>,
  sleep: ProcessOptions['sleep'],
  signal: AbortSignal,
): Promise<void> => {
  const mine = running.current();
  const idle = await mine?.process;
  if (!mine || !idle || signal.aborted) return;
  idle.hold(false);
  await sleep(restAfterMs, signal).catch(() => undefined);
  if (!signal.aborted && running.isCurrent(mine)) await running.end();
};

/** Sends a job, and that it is not wanted any more when the signal says so before there is an answer. */
const sendJob = (
  process: ClientProcess,
  { head, parts }: Message & { head: { id: number } },
  { signal, made }: { signal: AbortSignal; made: Promise<unknown> },
): Promise<void> => {
  const onAbort = (): void => void process.send(cancelled(head.id));
  const onAnswer = (): void => signal.removeEventListener('abort', onAbort);
  const sent = process.send({ head, parts });
  if (signal.aborted) onAbort();
  signal.addEventListener('abort', onAbort, { once: true });
  made.then(onAnswer, onAnswer);
  return sent;
};

/** Waits until all of a question has left; `onLate` ends a process that has answered it and does not take the rest. */
const wholeSent = async (sent: Promise<void>, sleep: ProcessOptions['sleep'], onLate: () => void): Promise<void> => {
  const isOver = new AbortController();
  void sleep(stopsWithinMs, isOver.signal).then(onLate, () => undefined);
  await sent;
  isOver.abort();
};

/** The ways in which jobs are lost with their process; `end` ends it. */
const createLosses = (
  { log, sentences }: ProcessOptions,
  jobs: Pick<ReturnType<typeof createJobs>, 'lose' | 'loseAll' | 'count'>,
  end: () => void,
) => {
  /** All of them, for what one of them has done. */
  const byItself = (): void => jobs.loseAll(jobs.count() > 1 ? 'suspected' : 'blamed');
  return {
    byItself,
    /** Ends the process for one job that nothing else can end; those beside it are innocent. */
    forOne: (id: number): void => {
      log('warn', sentences.held);
      end();
      jobs.lose(id, 'blamed');
      jobs.loseAll('innocent');
    },
    /** Ends a process that says what the one that was started never says. */
    ofStranger: (): void => {
      log('warn', sentences.ended, { cause: 'itself', how: 'it said what nobody had asked for' });
      end();
      byItself();
    },
  };
};

/** Hears what the process says of its jobs; `onResult` is told of each that it did. */
const createHearing =
  <Request, Result extends { type: string; id: number }>(
    { read, fits }: Pick<Options<Request, Result>, 'read' | 'fits'>,
    jobs: Pick<ReturnType<typeof createJobs<Request, Result>>, 'get' | 'finish' | 'lose'>,
    losses: Pick<ReturnType<typeof createLosses>, 'forOne' | 'ofStranger'>,
    onResult: () => void,
  ) =>
  ({ head, parts }: Message): void => {
    const message = read(head);
    const job = message && jobs.get(message.id);
    // A job is answered once, and nothing else is ever said.
    if (!message || !job) return losses.ofStranger();
    if (!isFate(message)) {
      const made = { result: message, pictures: parts };
      if (!fits(job.request, made)) return losses.ofStranger();
      onResult();
      return jobs.finish(message.id, made);
    }
    if (message.type === 'stuck') losses.forOne(message.id);
    else jobs.lose(message.id, message.type === 'died' || job.isLate ? 'blamed' : 'innocent');
  };

/**
 * The way to a process that does jobs on bytes: it starts with the first job, and ends some seconds after the last. When
 * it ends before, whatever the reason, all that it had in work is lost, and may be asked for again. The process takes jobs
 * by their numbers, `{ type: 'cancel', id }` for one that is not wanted any more, and answers each with a result or a
 * {@link Fate}. One that says anything else is ended.
 */
export const createProcessClient = <Request extends { type: string }, Result extends { type: string; id: number }>(
  options: Options<Request, Result>,
) => {
  const { sleep, answersWithinMs } = options;
  let [resting, lastId, closed] = [new AbortController(), 0, false];

  const rest = (): void => {
    resting = new AbortController();
    void endAfterRest(running, sleep, resting.signal);
  };
  const jobs = createJobs<Request, Result>(rest);

  const losses = createLosses(options, jobs, () => void running.end());
  /** Gives a job up once its time is over, and its thread; the process as well, when that does not end. */
  const limit = async (id: number, process: Running['process'], isOver: AbortSignal): Promise<void> => {
    await sleep(answersWithinMs, isOver);
    jobs.noteLate(id);
    void process.then((it) => it?.send(cancelled(id)));
    await sleep(stopsWithinMs, isOver);
    losses.forOne(id);
  };
  const begin = (): void => {
    if (closed || jobs.count() > 0) return;
    resting.abort();
    running.take();
    rest();
  };

  const running = createProcess(
    options,
    createHearing(options, jobs, losses, () => running.answered()),
    (cause) => {
      if (cause === 'itself') losses.byItself();
      else jobs.loseAll(cause === 'outside' ? 'innocent' : 'unstarted');
    },
  );

  return {
    /** Starts the process for jobs that are about to come; where none do it ends as after the last one. */
    begin,
    /**
     * Has a job done; on the signal its thread is ended, and the answer comes when it has. Rejects with JobLost. Either way
     * nothing reads the original any more then, even where the process answered before it had all of it.
     */
    ask: async (request: Request, original: Uint8Array, signal: AbortSignal): Promise<Made<Result>> => {
      signal.throwIfAborted();
      if (closed) throw new JobLost('innocent');
      const id = (lastId += 1);
      resting.abort();
      const { process: starting } = running.take();
      const made = jobs.add(id, request, (isOver) => void limit(id, starting, isOver).catch(() => undefined));
      const process = await starting;
      if (!process || !jobs.has(id)) return made;
      process.hold(true);
      const sent = sendJob(process, { head: { ...request, id }, parts: [original] }, { signal, made });
      return made.finally(() => wholeSent(sent, sleep, losses.ofStranger));
    },
    /**
     * Ends the process, whatever it does, and waits until it is no more. Who ends as well may leave it to the system, which
     * takes its memory apart for as long as it takes to decode a photo.
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
