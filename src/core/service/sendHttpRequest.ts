import type { Agent, Dispatcher } from 'undici';
import type { LookupFunction } from 'node:net';
import type { Clock } from '../base/ports.ts';
import { Readable } from 'node:stream';
import { getAbortReason } from '../base/raceWithAbort.ts';

export type OpenAgent = () => Promise<Agent>;

const maxConnections = 32;

/**
 * Creates the function that opens an HTTP agent. Loading the library would delay the start, so it loads on first use.
 */
export const createAgentOpener = (lookup?: LookupFunction): OpenAgent => {
  let opening: Promise<Agent> | undefined;
  const createHttpAgent = async (): Promise<Agent> => {
    const { default: Agent } = await import('undici/lib/dispatcher/agent.js');
    const connect = lookup === undefined ? {} : { connect: { lookup } };
    return new Agent({ connections: maxConnections, headersTimeout: 0, bodyTimeout: 0, ...connect });
  };
  return () => (opening ??= createHttpAgent());
};

const beatMs = 15_000;
/**
 * A beat takes 15 s. A request times out after five beats without a byte, which is after one minute at the earliest.
 */
const maxSilentBeats = 5;
/** An answer must end within this many beats (five minutes), even if bytes keep arriving. */
const maxAnswerBeats = 20;

type IdleWatch = { heard: () => void; begun: () => void; over: () => void };
type IdleTimeout = { wait: (giveUp: () => void) => IdleWatch };

/**
 * A list whose entries know their place, so that adding and removing are quick. A `Set` that is changed for each request
 * leaves behind tables that keep finished requests in memory until the next full collection.
 */
const createPlaceList = <T extends { place: number }>() => {
  const entries: T[] = [];
  return {
    entries: (): readonly T[] => entries,
    add: (one: T): void => void (one.place = entries.push(one) - 1),
    remove: (one: T): void => {
      const last = entries.at(-1);
      if (entries[one.place] !== one || last === undefined) return;
      entries[one.place] = last;
      last.place = one.place;
      entries.pop();
    },
  };
};

/**
 * Creates a timeout for requests that receive no byte and for answers that do not end. It counts beats, so that a clock
 * jump or a sleep counts as one beat.
 */
export const createIdleTimeout = (clock: Clock): IdleTimeout => {
  const waiting = createPlaceList<{ place: number; silentBeats: number; beatsLeft: number; giveUp: () => void }>();
  let beating = false;

  const runBeatLoop = async (): Promise<void> => {
    beating = true;
    while (waiting.entries().length > 0) {
      await clock.sleep(beatMs);
      for (const one of [...waiting.entries()]) {
        one.silentBeats += 1;
        one.beatsLeft -= 1;
        if (one.silentBeats < maxSilentBeats && one.beatsLeft > 0) continue;
        waiting.remove(one);
        one.giveUp();
      }
    }
    beating = false;
  };

  return {
    wait: (giveUp) => {
      const one = { place: 0, silentBeats: 0, beatsLeft: Infinity, giveUp };
      waiting.add(one);
      if (!beating) void runBeatLoop();
      return {
        heard: () => void (one.silentBeats = 0),
        begun: () => void (one.beatsLeft = maxAnswerBeats),
        over: () => waiting.remove(one),
      };
    },
  };
};

export type HttpRequest = {
  method: Dispatcher.HttpMethod;
  url: URL;
  headers: Record<string, string>;
  /** Each piece of a streamed body resets the idle timeout. */
  body: string | null | AsyncIterable<Buffer>;
  signal: AbortSignal | undefined;
};
/** `text` is null if the answer is too large. */
export type ReceivedAnswer = {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string | null;
};

const maxBytes = 16 * 1024 * 1024;
/** All answers in flight are in memory, so they share this limit. */
const maxTogether = 64 * 1024 * 1024;
let totalBytes = 0;

/** Thrown if there is no complete answer. `sent` is false if no part of the request can have left this machine. */
export class UnansweredError extends Error {
  readonly sent: boolean;
  readonly silent: boolean;

  constructor(sent: boolean, cause: unknown, silent = false) {
    super('There was no whole answer.', { cause });
    this.name = 'Unanswered';
    this.sent = sent;
    this.silent = silent;
  }
}

const createAnswerBuffer = () => {
  const chunks: Buffer[] = [];
  let bytes = 0;
  return {
    /** Returns false and drops the chunk if a limit is exceeded. */
    add: (chunk: Buffer): boolean => {
      bytes += chunk.length;
      totalBytes += chunk.length;
      if (bytes > maxBytes || totalBytes > maxTogether) return false;
      chunks.push(chunk);
      return true;
    },
    text: (): string => (chunks.length === 1 ? chunks[0] : Buffer.concat(chunks))?.toString() ?? '',
    free: (): void => void (totalBytes -= bytes),
  };
};

const reportEachPiece = async function* (pieces: AsyncIterable<Buffer>, hear: () => void): AsyncGenerator<Buffer> {
  for await (const piece of pieces) {
    hear();
    yield piece;
  }
};

const toRequestBody = (body: HttpRequest['body'], hear: () => void): string | null | Readable =>
  body === null || typeof body === 'string' ? body : Readable.from(reportEachPiece(body, hear));

/**
 * Sends one request and reads its answer as text. A redirect is not followed, because that would send the key to
 * another address. Rejects with `UnansweredError` or with the signal's reason.
 */
export const sendHttpRequest = (
  dispatcher: Dispatcher,
  idleTimeout: IdleTimeout,
  { method, url, headers, body, signal }: HttpRequest,
): Promise<ReceivedAnswer> =>
  new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(getAbortReason(signal));
    const got: Omit<ReceivedAnswer, 'text'> = { status: 0, headers: {} };
    const content = createAnswerBuffer();
    let controller: Dispatcher.DispatchController | null = null;
    let ended = false;
    const endExchange = (end: () => void): void => {
      if (ended) return;
      ended = true;
      signal?.removeEventListener('abort', abortExchange);
      silence.over();
      content.free();
      end();
    };
    /** Aborts the exchange. If the request is still waiting for a connection, it is never sent. */
    const stopExchange = (end: () => void): void => {
      endExchange(end);
      controller?.abort(new Error('No caller waits for it any more.'));
    };
    const abortExchange = (): void => signal && stopExchange(() => reject(getAbortReason(signal)));
    const rejectUnanswered = (cause: unknown, silent = false): void =>
      reject(new UnansweredError(controller !== null, cause, silent));
    // An error takes a stack trace, so it is created only if the service stays silent.
    const rejectSilence = (): void => rejectUnanswered(new Error('It said nothing for too long.'), true);
    const silence = idleTimeout.wait(() => stopExchange(rejectSilence));
    signal?.addEventListener('abort', abortExchange, { once: true });
    dispatcher.dispatch(
      {
        origin: url.origin,
        path: url.pathname + url.search,
        method,
        headers,
        body: toRequestBody(body, silence.heard),
      },
      {
        onRequestStart: (started) => {
          if (ended) return started.abort(new Error('No caller waits for it any more.'));
          controller = started;
        },
        onResponseStart: (_controller, status, answered) => {
          silence.heard();
          silence.begun();
          got.status = status;
          got.headers = answered;
          if (Number(answered['content-length']) > maxBytes) stopExchange(() => resolve({ ...got, text: null }));
        },
        onResponseData: (_controller, chunk) => {
          silence.heard();
          if (!ended && !content.add(chunk)) stopExchange(() => resolve({ ...got, text: null }));
        },
        onResponseEnd: () => endExchange(() => resolve({ ...got, text: content.text() })),
        onResponseError: (_controller, error) => endExchange(() => rejectUnanswered(error)),
      },
    );
  });
