import type { Agent, Dispatcher } from 'undici';
import type { LookupFunction } from 'node:net';
import type { Clock } from '../base/ports.ts';
import { Readable } from 'node:stream';
import { readAbortReason } from '../base/raceWithAbort.ts';

/** Returns the HTTP agent, which pools connections. */
export type OpenAgent = () => Promise<Agent>;

/** The maximum number of connections to one origin. */
const maxConnections = 32;

/**
 * Creates an HTTP agent on first use, as loading the library would delay the start. Timeouts are disabled here;
 * `createIdleTimeout` applies them. Names are resolved by `lookup`, or by the system.
 */
export const createAgentSource = (lookup?: LookupFunction): OpenAgent => {
  let opening: Promise<Agent> | undefined;
  const createHttpAgent = async (): Promise<Agent> => {
    const { default: Agent } = await import('undici/lib/dispatcher/agent.js');
    const connect = lookup === undefined ? {} : { connect: { lookup } };
    return new Agent({ connections: maxConnections, headersTimeout: 0, bodyTimeout: 0, ...connect });
  };
  return () => (opening ??= createHttpAgent());
};

const beatMs = 15_000;
/** A request times out after this many beats without a byte: at least one minute. */
const maxSilentBeats = 5;
/** A started answer must end within this many beats, even if bytes keep arriving: five minutes. */
const maxAnswerBeats = 20;

/** A watched request. `begun`: the answer has started. */
type IdleWatch = { heard: () => void; begun: () => void; over: () => void };
type IdleTimeout = { wait: (giveUp: () => void) => IdleWatch };

/**
 * Times out requests without a byte for a minute, and answers that do not end. One shared interval serves all
 * requests, so a clock jump or a sleep counts as one beat.
 */
export const createIdleTimeout = (clock: Clock): IdleTimeout => {
  const waiting = new Set<{ silentBeats: number; beatsLeft: number; giveUp: () => void }>();
  let beating = false;

  const runBeatLoop = async (): Promise<void> => {
    beating = true;
    while (waiting.size > 0) {
      await clock.sleep(beatMs);
      for (const one of waiting) {
        one.silentBeats += 1;
        one.beatsLeft -= 1;
        if (one.silentBeats < maxSilentBeats && one.beatsLeft > 0) continue;
        waiting.delete(one);
        one.giveUp();
      }
    }
    beating = false;
  };

  return {
    wait: (giveUp) => {
      const one = { silentBeats: 0, beatsLeft: Infinity, giveUp };
      waiting.add(one);
      if (!beating) void runBeatLoop();
      return {
        heard: () => void (one.silentBeats = 0),
        begun: () => void (one.beatsLeft = maxAnswerBeats),
        over: () => void waiting.delete(one),
      };
    },
  };
};

/** A request as it is sent. */
export type HttpRequest = {
  method: Dispatcher.HttpMethod;
  url: URL;
  headers: Record<string, string>;
  /** A streamed body is sent with backpressure; each piece resets the idle timeout. */
  body: string | null | AsyncIterable<Buffer>;
  signal: AbortSignal | undefined;
};
/** `text` is null if the answer exceeded a size limit. */
export type ReceivedAnswer = {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string | null;
};

/** The size limit of one answer in bytes; larger answers are not read further. */
const maxBytes = 16 * 1024 * 1024;
/** The size limit of all answers in flight together; the answer that exceeds it is dropped. */
const maxTogether = 64 * 1024 * 1024;
let totalBytes = 0;

/** A request without a complete answer. `sent` is false if no part of it can have left this machine. */
export class UnansweredError extends Error {
  readonly sent: boolean;
  /** The connection was open, but idle for too long. */
  readonly silent: boolean;

  constructor(sent: boolean, cause: unknown, silent = false) {
    super('There was no whole answer.', { cause });
    this.name = 'Unanswered';
    this.sent = sent;
    this.silent = silent;
  }
}

/** Collects the bytes of one answer within both size limits. */
const createBoundedContent = () => {
  const chunks: Buffer[] = [];
  let bytes = 0;
  return {
    /** Returns false if a limit is exceeded; the chunk is then dropped. */
    add: (chunk: Buffer): boolean => {
      bytes += chunk.length;
      totalBytes += chunk.length;
      if (bytes > maxBytes || totalBytes > maxTogether) return false;
      chunks.push(chunk);
      return true;
    },
    text: (): string => (chunks.length === 1 ? chunks[0] : Buffer.concat(chunks))?.toString() ?? '',
    /** Releases the bytes from the shared limit. */
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
 * Sends one request and reads its complete answer as text. Redirects are returned, never followed, as that would
 * send the key to another address. Rejects with `UnansweredError` or with the signal's reason.
 */
export const sendHttpRequest = (
  dispatcher: Dispatcher,
  idleTimeout: IdleTimeout,
  { method, url, headers, body, signal }: HttpRequest,
): Promise<ReceivedAnswer> =>
  new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(readAbortReason(signal));
    const got: Omit<ReceivedAnswer, 'text'> = { status: 0, headers: {} };
    const content = createBoundedContent();
    let controller: Dispatcher.DispatchController | null = null;
    let ended = false;
    const settleExchange = (end: () => void): void => {
      if (ended) return;
      ended = true;
      signal?.removeEventListener('abort', abortExchange);
      silence.over();
      content.free();
      end();
    };
    /** Settles at once, also while the request waits for a connection; it is then never sent. */
    const stopExchange = (end: () => void): void => {
      settleExchange(end);
      controller?.abort(new Error('No caller waits for it any more.'));
    };
    const abortExchange = (): void => signal && stopExchange(() => reject(readAbortReason(signal)));
    const createRejection =
      (cause: unknown, silent = false) =>
      (): void =>
        reject(new UnansweredError(controller !== null, cause, silent));
    const rejectSilence = createRejection(new Error('It said nothing for too long.'), true);
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
        onResponseEnd: () => settleExchange(() => resolve({ ...got, text: content.text() })),
        onResponseError: (_controller, error) => settleExchange(createRejection(error)),
      },
    );
  });
