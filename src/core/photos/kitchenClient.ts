import type { Clock, Log } from '../base/ports.ts';
import {
  fromKitchen,
  type KitchenJob,
  type KitchenRequest,
  type KitchenResult,
  type ToKitchen,
} from '../../photoContract/messages.ts';

/**
 * Why the process ended: somebody else did that, whatever it had in work; it failed by what it did; or it ended before it
 * could take anything.
 */
type Cause = 'asked' | 'outside' | 'itself' | 'start';

/** The process that decodes photos, as the host starts it: locked, and holding nothing. */
export type KitchenProcess = {
  /** What runs it, what stands around it, and how it decodes. */
  facts: Readonly<Record<string, string>>;
  send: (message: { head: unknown; parts: readonly Uint8Array[] }) => void;
  /** Whether it keeps this process alive. */
  hold: (isHeld: boolean) => void;
  kill: () => void;
  ended: Promise<{ cause: Cause; how: string }>;
};
export type StartKitchen = (
  onMessage: (message: { head: unknown; parts: readonly Uint8Array[] }) => void,
) => Promise<KitchenProcess>;

/** A job came to nothing. `blamed`: by what it did; `suspected`: by that, or by another job beside it; `innocent`: by neither. */
export class JobLost extends Error {
  override readonly name = 'JobLost';
  readonly guilt: 'blamed' | 'suspected' | 'innocent';
  constructor(guilt: JobLost['guilt']) {
    super('The process that decodes photos ended while it had this one in work.');
    this.guilt = guilt;
  }
}

/** What came of a job, with the pictures that belong to it. */
export type Made = { result: KitchenResult; pictures: readonly Uint8Array[] };
/** Has a job done. Rejects with JobLost. */
export type Ask = (request: KitchenRequest, original: Uint8Array) => Promise<Made>;

/** Starting the process anew takes a third of a second; a process that ends gives all its memory back. */
const restAfterMs = 15_000;
/** Threads have two minutes each once they decode, and wait for one another; past this nobody answers any more. */
const answersWithinMs = 600_000;
/** So many ends without a single result are no accident: then it is started once a second at most. */
const mostEndsInRow = 20;
/** So many starts without success are no accident: then photos are refused, and not kept waiting for ever. */
const mostFailedStarts = 5;

type Job = { finish: (made: Made) => void; fail: (lost: JobLost) => void; timer: NodeJS.Timeout };

/** The jobs that are in the kitchen, by their numbers. `onNone` is called when the last one has left. */
const createJobs = (onNone: () => void) => {
  const jobs = new Map<number, Job>();
  const take = (id: number): Job | undefined => {
    const job = jobs.get(id);
    clearTimeout(job?.timer);
    if (jobs.delete(id) && jobs.size === 0) onNone();
    return job;
  };
  return {
    has: (id: number): boolean => jobs.has(id),
    count: (): number => jobs.size,
    add: (id: number, onLate: () => void): Promise<Made> =>
      new Promise((finish, fail) => {
        jobs.set(id, { finish, fail, timer: setTimeout(onLate, answersWithinMs).unref() });
      }),
    finish: (id: number, made: Made): void => take(id)?.finish(made),
    lose: (id: number, guilt: JobLost['guilt']): void => take(id)?.fail(new JobLost(guilt)),
    loseAll: (guilt: JobLost['guilt']): void => {
      for (const id of [...jobs.keys()]) take(id)?.fail(new JobLost(guilt));
    },
  };
};

type Running = { process: Promise<KitchenProcess | null> };
type Options = {
  start: StartKitchen;
  /** Waits, without keeping this process alive. */
  sleep: Clock['sleep'];
  log: Log;
};

/** One process at a time: started when it is needed, started anew after it ended. `onEnd` hears of ends that nobody asked for. */
const createProcess = (
  { start, sleep, log }: Options,
  onMessage: (head: unknown, parts: readonly Uint8Array[]) => void,
  onEnd: (cause: 'outside' | 'itself') => void,
) => {
  const living = new Set<Promise<unknown>>();
  let current: Running | null = null;
  let [endsInRow, failedStarts] = [0, 0];
  let isKnown = false;
  /** Once: it is started alike each time. */
  const note = ({ facts }: KitchenProcess): void => {
    if (!isKnown) log('info', 'Photos are decoded in a process of their own.', facts);
    isKnown = true;
  };

  const begin = async (mine: Running): Promise<KitchenProcess | null> => {
    const ended = (cause: Cause, how: string): void => {
      if (current !== mine) return;
      current = null;
      endsInRow += 1;
      failedStarts = cause === 'start' ? failedStarts + 1 : 0;
      log('warn', 'The process that decodes photos ended.', { cause, how });
      onEnd(cause === 'itself' || failedStarts >= mostFailedStarts ? 'itself' : 'outside');
    };
    try {
      if (endsInRow > mostEndsInRow) await sleep(1_000);
      const made = await start(({ head, parts }) => {
        if (current === mine) onMessage(head, parts);
      });
      note(made);
      living.add(made.ended);
      void made.ended.then(({ cause, how }) => {
        living.delete(made.ended);
        ended(cause, how);
      });
      return made;
    } catch (error) {
      ended('start', error instanceof Error ? error.message : String(error));
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
    /** Ends the one that runs; it is not heard of any more. */
    end: async (): Promise<void> => {
      const mine = current;
      current = null;
      const ending = await mine?.process;
      ending?.hold(true);
      ending?.kill();
      await Promise.all(living);
    },
  };
};

/** Sends a job, and that it is not wanted any more when the signal says so before there is an answer. */
const sendJob = (
  kitchen: KitchenProcess,
  job: KitchenJob,
  original: Uint8Array,
  { signal, made }: { signal: AbortSignal; made: Promise<unknown> },
): void => {
  const send = (head: ToKitchen, parts: readonly Uint8Array[]): void => kitchen.send({ head, parts });
  const onAbort = (): void => send({ type: 'cancel', id: job.id }, []);
  const onAnswer = (): void => signal.removeEventListener('abort', onAbort);
  send(job, [original]);
  if (signal.aborted) onAbort();
  signal.addEventListener('abort', onAbort, { once: true });
  made.then(onAnswer, onAnswer);
};

/**
 * The way to the process that decodes photos: it starts with the first job, and ends some seconds after the last. When it
 * ends before, whatever the reason, all that it had in work is lost, and may be asked for again.
 */
export const createKitchenClient = (options: Options) => {
  let resting = new AbortController();
  let lastId = 0;
  let closed = false;

  const rest = async (): Promise<void> => {
    const { signal } = (resting = new AbortController());
    const mine = running.current();
    const idle = await mine?.process;
    if (!mine || !idle || signal.aborted) return;
    idle.hold(false);
    await options.sleep(restAfterMs, signal).catch(() => undefined);
    if (!signal.aborted && running.isCurrent(mine)) await running.end();
  };
  const jobs = createJobs(() => void rest());

  /** Ends the process for one job that nothing else can end; those beside it are innocent. */
  const endFor = (id: number): void => {
    options.log('warn', 'A photo held the process that decodes photos, which was ended.');
    void running.end();
    jobs.lose(id, 'blamed');
    jobs.loseAll('innocent');
  };

  const onMessage = (head: unknown, pictures: readonly Uint8Array[]): void => {
    const message = fromKitchen.safeParse(head);
    if (!message.success || !jobs.has(message.data.id)) return;
    const { data } = message;
    if (data.type === 'stuck') return endFor(data.id);
    if (data.type === 'cancelled') return jobs.lose(data.id, 'innocent');
    if (data.type === 'died') return jobs.lose(data.id, 'blamed');
    running.answered();
    jobs.finish(data.id, { result: data, pictures });
  };
  const running = createProcess(options, onMessage, (cause) => {
    if (cause === 'outside') jobs.loseAll('innocent');
    else jobs.loseAll(jobs.count() > 1 ? 'suspected' : 'blamed');
  });

  return {
    /** Has a job done; on the signal its thread is ended, and the answer comes when it has. Rejects with JobLost. */
    ask: async (request: KitchenRequest, original: Uint8Array, signal: AbortSignal): Promise<Made> => {
      signal.throwIfAborted();
      if (closed) throw new JobLost('innocent');
      const id = (lastId += 1);
      resting.abort();
      const mine = running.take();
      const made = jobs.add(id, () => endFor(id));
      // It may be lost before the process has started.
      made.catch(() => undefined);
      const kitchen = await mine.process;
      if (!kitchen || !jobs.has(id)) return made;
      kitchen.hold(true);
      sendJob(kitchen, { ...request, id }, original, { signal, made });
      return made;
    },
    /** Ends the process, whatever it does, and waits until it is no more. */
    close: async (): Promise<void> => {
      closed = true;
      resting.abort();
      const ended = running.end();
      jobs.loseAll('innocent');
      await ended;
    },
  };
};
