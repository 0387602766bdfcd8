import type { IsolatedProcess } from '../../../isolated/startIsolated.ts';
import { fromReader, type FromReader, type ReadingTask, type ToReader } from './photoReading.ts';

/** The process that reads photos, as the host starts it: locked, and holding nothing. */
export type ReaderProcess = Pick<IsolatedProcess, 'send' | 'hold' | 'kill' | 'ended'>;
type Message = Parameters<ReaderProcess['send']>[0];
export type StartReader = (onMessage: (message: Message) => void) => Promise<ReaderProcess>;

/** No photo has more bytes; larger files are not read. */
export const mostPhotoBytes = 400e6;

/** What came of a question, with the bytes that belong to it. */
type Answered = { answer: FromReader; bytes: Uint8Array | undefined };
/** Nothing came of it. `blamed`: by what the photo did; `suspected`: by that, or by another beside it; `innocent`: by neither. */
export type Lost = 'blamed' | 'suspected' | 'innocent';

/** Starting the process anew takes a third of a second; a process that ends gives all its memory back. */
const restAfterMs = 15_000;
/** Past this a photo has caught a decoder in a loop. */
const answersWithinMs = 30_000;
/** A thread inside a decoder does not hear that it is to end; after this the process is ended with it. */
const stopsWithinMs = 5_000;

export type ClientOptions = {
  startReader: StartReader;
  /** Waits, without keeping this process alive. */
  sleep: (ms: number, signal?: AbortSignal) => Promise<unknown>;
};

/** One process at a time: started when it is needed, started anew after it ended. */
const createProcess = (
  start: StartReader,
  onMessage: (message: Message) => void,
  onEnd: (cause: 'outside' | 'itself') => void,
) => {
  const living = new Set<Promise<unknown>>();
  let current: { process: Promise<ReaderProcess | null> } | null = null;

  const begin = async (isMine: () => boolean): Promise<ReaderProcess | null> => {
    const ended = (isItself: boolean): void => {
      if (!isMine()) return;
      current = null;
      onEnd(isItself ? 'itself' : 'outside');
    };
    try {
      const started = await start((message) => {
        if (isMine()) onMessage(message);
      });
      living.add(started.ended);
      void started.ended.then(({ cause }) => {
        living.delete(started.ended);
        ended(cause === 'itself');
      });
      return started;
    } catch {
      ended(false);
      return null;
    }
  };

  return {
    /** The one that runs, or a new one; null when it could not be started. */
    take: (): Promise<ReaderProcess | null> => {
      if (current) return current.process;
      const mine = { process: Promise.resolve<ReaderProcess | null>(null) };
      current = mine;
      return (mine.process = begin(() => current === mine));
    },
    current: (): Promise<ReaderProcess | null> | undefined => current?.process,
    /** Ends the one that runs, which is not heard of any more, and waits until none is left. */
    end: async (): Promise<void> => {
      const ending = current?.process;
      current = null;
      const running = await ending;
      running?.hold(true);
      running?.kill();
      await Promise.all(living);
    },
  };
};

/** The questions that are open, by their numbers. `onNone` is called when the last one is answered. */
const createQuestions = (onNone: () => void) => {
  const open = new Map<number, (outcome: Answered | Lost) => void>();
  const finish = (id: number, outcome: Answered | Lost): void => {
    const resolve = open.get(id);
    if (!open.delete(id)) return;
    resolve?.(outcome);
    if (open.size === 0) onNone();
  };
  return { open, finish };
};

/** Ends the process when nothing is asked for some seconds. */
const rest = async (
  running: ReturnType<typeof createProcess>,
  sleep: ClientOptions['sleep'],
  signal: AbortSignal,
): Promise<void> => {
  const mine = running.current();
  const idle = await mine;
  if (!idle || signal.aborted) return;
  idle.hold(false);
  await sleep(restAfterMs, signal).catch(() => undefined);
  if (!signal.aborted && running.current() === mine) await running.end();
};

/**
 * The way to the process that reads photos: it starts with the first one, and ends some seconds after the last. When it
 * ends before, whatever the reason, all that it had in work is lost, and may be asked for again.
 */
export const createReaderClient = ({ startReader, sleep }: ClientOptions) => {
  const stopping = new Map<number, AbortController>();
  let resting = new AbortController();
  let lastId = 0;

  const { open, finish } = createQuestions(() => {
    resting = new AbortController();
    void rest(running, sleep, resting.signal);
  });
  const loseAll = (lost: Lost): void => {
    for (const wait of stopping.values()) wait.abort();
    stopping.clear();
    for (const id of [...open.keys()]) finish(id, lost);
  };

  const running = createProcess(
    startReader,
    ({ head, parts }) => {
      const message = fromReader.safeParse(head);
      if (!message.success) return;
      const { data } = message;
      if (data.type === 'stopped') stopping.get(data.id)?.abort();
      else finish(data.id, data.type === 'died' ? 'blamed' : { answer: data, bytes: parts[0] });
    },
    (cause) => loseAll(cause === 'outside' ? 'innocent' : open.size > 1 ? 'suspected' : 'blamed'),
  );
  const endNow = (): Promise<void> => {
    const ended = running.end();
    loseAll('innocent');
    return ended;
  };

  /** Gives a photo up whose time is over, and its thread; the process as well, when that does not end. */
  const giveUp = async (id: number, process: ReaderProcess): Promise<void> => {
    if (!open.has(id)) return;
    const wait = new AbortController();
    stopping.set(id, wait);
    process.send({ head: { type: 'stop', id } satisfies ToReader, parts: [] });
    finish(id, 'blamed');
    await sleep(stopsWithinMs, wait.signal).catch(() => undefined);
    if (stopping.delete(id) && !wait.signal.aborted) await endNow();
  };

  return {
    /** What one photo shows. */
    ask: async (task: ReadingTask, original: Uint8Array): Promise<Answered | Lost> => {
      const id = (lastId += 1);
      resting.abort();
      const outcome = new Promise<Answered | Lost>((resolve) => open.set(id, resolve));
      const process = await running.take();
      if (!process || !open.has(id)) return outcome;
      process.hold(true);
      process.send({ head: { type: 'read', id, task } satisfies ToReader, parts: [original] });
      const limit = new AbortController();
      sleep(answersWithinMs, limit.signal).then(
        () => giveUp(id, process),
        () => undefined,
      );
      return outcome.finally(() => limit.abort());
    },
    /** Ends the process, whatever it does, and waits until it is no more. */
    close: async (): Promise<void> => {
      resting.abort();
      await endNow();
    },
  };
};
