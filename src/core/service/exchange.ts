import type { Agent, Dispatcher } from 'undici';
import type { LookupFunction } from 'node:net';
import type { Clock } from '../base/ports.ts';
import { Readable } from 'node:stream';
import { abortReason } from '../base/abortable.ts';

/** Returns the HTTP agent, which pools connections. */
export type OpenAgent = () => Promise<Agent>;

/** The maximum number of connections to one origin. */
const connections = 32;

/**
 * Creates an HTTP agent on first use, as loading the library would delay the start. Timeouts are disabled here;
 * `createIdleTimeout` applies them. Names are resolved by `lookup`, or by the system.
 */
export const createAgentSource = (lookup?: LookupFunction): OpenAgent => {
  let opening: Promise<Agent> | undefined;
  const open = async (): Promise<Agent> => {
    const { default: Agent } = await import('undici/lib/dispatcher/agent.js');
    const connect = lookup === undefined ? {} : { connect: { lookup } };
    return new Agent({ connections, headersTimeout: 0, bodyTimeout: 0, ...connect });
  };
  return () => (opening ??= open());
};

const beatMs = 15_000;
/** A request times out after this many beats without a byte: at least one minute. */
const beatsOfSilence = 5;
/** A started answer must end within this many beats, even if bytes keep arriving: five minutes. */
const beatsOfAnswer = 20;

/** A watched request. `begun`: the answer has started. */
type Waited = { heard: () => void; begun: () => void; over: () => void };
type IdleTimeout = { wait: (giveUp: () => void) => Waited };

/**
 * Times out requests without a byte for a minute, and answers that do not end. One shared interval serves all
 * requests, so a clock jump or a sleep counts as one beat.
 */
export const createIdleTimeout = (clock: Clock): IdleTimeout => {
  const waiting = new Set<{ silentBeats: number; beatsLeft: number; giveUp: () => void }>();
  let beating = false;

  const beat = async (): Promise<void> => {
    beating = true;
    while (waiting.size > 0) {
      await clock.sleep(beatMs);
      for (const one of waiting) {
        one.silentBeats += 1;
        one.beatsLeft -= 1;
        if (one.silentBeats < beatsOfSilence && one.beatsLeft > 0) continue;
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
      if (!beating) void beat();
      return {
        heard: () => void (one.silentBeats = 0),
        begun: () => void (one.beatsLeft = beatsOfAnswer),
        over: () => void waiting.delete(one),
      };
    },
  };
};

/** A request as it is sent. */
export type Sent = {
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
const mostBytes = 16 * 1024 * 1024;
/** The size limit of all answers in flight together; the answer that exceeds it is dropped. */
const mostTogether = 64 * 1024 * 1024;
let together = 0;

/** A request without a complete answer. `sent` is false if no part of it can have left this machine. */
export class Unanswered extends Error {
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
const createContent = () => {
  const chunks: Buffer[] = [];
  let bytes = 0;
  return {
    /** Returns false if a limit is exceeded; the chunk is then dropped. */
    add: (chunk: Buffer): boolean => {
      bytes += chunk.length;
      together += chunk.length;
      if (bytes > mostBytes || together > mostTogether) return false;
      chunks.push(chunk);
      return true;
    },
    text: (): string => (chunks.length === 1 ? chunks[0] : Buffer.concat(chunks))?.toString() ?? '',
    /** Releases the bytes from the shared limit. */
    free: (): void => void (together -= bytes),
  };
};

const heard = async function* (pieces: AsyncIterable<Buffer>, hear: () => void): AsyncGenerator<Buffer> {
  for await (const piece of pieces) {
    hear();
    yield piece;
  }
};

const bodyOf = (body: Sent['body'], hear: () => void): string | null | Readable =>
  body === null || typeof body === 'string' ? body : Readable.from(heard(body, hear));

/**
 * Sends one request and reads its complete answer as text. Redirects are returned, never followed, as that would
 * send the key to another address. Rejects with `UnansweredError` or with the signal's reason.
 */
export const exchange = (
  dispatcher: Dispatcher,
  idleTimeout: IdleTimeout,
  { method, url, headers, body, signal }: Sent,
): Promise<ReceivedAnswer> =>
  new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(abortReason(signal));
    const got: Omit<ReceivedAnswer, 'text'> = { status: 0, headers: {} };
    const content = createContent();
    let controller: Dispatcher.DispatchController | null = null;
    let ended = false;
    const settle = (end: () => void): void => {
      if (ended) return;
      ended = true;
      signal?.removeEventListener('abort', abort);
      silence.over();
      content.free();
      end();
    };
    /** Settles at once, also while the request waits for a connection; it is then never sent. */
    const stop = (end: () => void): void => {
      settle(end);
      controller?.abort(new Error('Nobody waits for it any more.'));
    };
    const abort = (): void => signal && stop(() => reject(abortReason(signal)));
    const fail =
      (cause: unknown, silent = false) =>
      (): void =>
        reject(new Unanswered(controller !== null, cause, silent));
    const silence = idleTimeout.wait(() => stop(fail(new Error('It said nothing for too long.'), true)));
    signal?.addEventListener('abort', abort, { once: true });
    dispatcher.dispatch(
      { origin: url.origin, path: url.pathname + url.search, method, headers, body: bodyOf(body, silence.heard) },
      {
        onRequestStart: (started) => {
          if (ended) return started.abort(new Error('Nobody waits for it any more.'));
          controller = started;
        },
        onResponseStart: (_controller, status, answered) => {
          silence.heard();
          silence.begun();
          got.status = status;
          got.headers = answered;
          if (Number(answered['content-length']) > mostBytes) stop(() => resolve({ ...got, text: null }));
        },
        onResponseData: (_controller, chunk) => {
          silence.heard();
          if (ended) return;
          if (!content.add(chunk)) stop(() => resolve({ ...got, text: null }));
        },
        onResponseEnd: () => settle(() => resolve({ ...got, text: content.text() })),
        onResponseError: (_controller, error) => settle(fail(error)),
      },
    );
  });
