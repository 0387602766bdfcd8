import type { Agent, Dispatcher } from 'undici';
import type { LookupFunction } from 'node:net';
import type { Clock } from '../base/ports.ts';
import { Readable } from 'node:stream';
import { abortReason } from '../base/abortable.ts';

/** Gives the connections that requests leave by. */
export type OpenAgent = () => Promise<Agent>;

/** At once to one place. */
const connections = 32;

/**
 * Connections to the outside, a limited number to one place. Silence is judged by our own clock, so none is judged
 * here. Names are resolved by `lookup`, or as the system does. The HTTP library is loaded with the first request: a start does without it.
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
/** After so many beats without a byte nobody waits any longer: a minute at least. */
const beatsOfSilence = 5;
/** After so many beats an answer that began must be there, however steadily it comes: five minutes. */
const beatsOfAnswer = 20;

/** A request that is waited for. `begun`: its answer has begun. */
type Waited = { heard: () => void; begun: () => void; over: () => void };
type IdleTimeout = { wait: (giveUp: () => void) => Waited };

/**
 * Gives up requests that hear nothing for a minute, and answers that do not end. One beat goes round for all of them: a request costs no timer of its
 * own, and a clock that jumps, or a machine that slept, is one beat and not hours of silence.
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

/** A request to the service as it goes over the wire. */
export type Sent = {
  method: Dispatcher.HttpMethod;
  url: URL;
  headers: Record<string, string>;
  /** Bytes that come in pieces leave as the other side takes them; each that leaves breaks the silence. */
  body: string | null | AsyncIterable<Buffer>;
  signal: AbortSignal | undefined;
};
/** `text` is null when the answer was more than anybody takes in. */
export type ReceivedAnswer = {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string | null;
};

/** More than this, in bytes, is no answer of the interface: the rest is not read. */
const mostBytes = 16 * 1024 * 1024;
/** What all answers that are on their way may hold together; one more byte, and the one that brings it is too much. */
const mostTogether = 64 * 1024 * 1024;
let together = 0;

/** A request without a whole answer. `sent` is false when nothing of it can have left this machine. */
export class Unanswered extends Error {
  readonly sent: boolean;
  /** The connection stood, and nothing came for too long. */
  readonly silent: boolean;

  constructor(sent: boolean, cause: unknown, silent = false) {
    super('There was no whole answer.', { cause });
    this.name = 'Unanswered';
    this.sent = sent;
    this.silent = silent;
  }
}

/** The bytes of one answer as they come, within what it and all of them may hold. */
const createContent = () => {
  const chunks: Buffer[] = [];
  let bytes = 0;
  return {
    /** False when that is too much: then it is not kept. */
    add: (chunk: Buffer): boolean => {
      bytes += chunk.length;
      together += chunk.length;
      if (bytes > mostBytes || together > mostTogether) return false;
      chunks.push(chunk);
      return true;
    },
    text: (): string => (chunks.length === 1 ? chunks[0] : Buffer.concat(chunks))?.toString() ?? '',
    /** Nobody takes it in any more. */
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
 * Sends one request and reads its whole answer as text. Redirects are answers, never followed: one would carry the key to
 * an address that nobody chose. Rejects with `Unanswered`, or with the signal's reason.
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
    /** Settles at once, also while the request still waits for a connection; it never leaves after that. */
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
