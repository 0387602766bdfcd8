import { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import type { IdleTimeout } from './idleTimeout.ts';

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
export type Got = { status: number; headers: Record<string, string | string[] | undefined>; text: string | null };

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

const heard = async function* (pieces: AsyncIterable<Buffer>, hear: () => void): AsyncGenerator<Buffer> {
  for await (const piece of pieces) {
    hear();
    yield piece;
  }
};

/**
 * Sends one request and reads its whole answer as text. Redirects are answers, never followed: one would carry the key to
 * an address that nobody chose. Rejects with `Unanswered`, or with the signal's reason.
 */
export const exchange = (
  dispatcher: Dispatcher,
  patience: IdleTimeout,
  { method, url, headers, body, signal }: Sent,
): Promise<Got> =>
  new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason as Error);
    const got = { status: 0, headers: {} as Got['headers'] };
    const chunks: Buffer[] = [];
    let bytes = 0;
    let controller: Dispatcher.DispatchController | null = null;
    let ended = false;
    const settle = (end: () => void): void => {
      if (ended) return;
      ended = true;
      signal?.removeEventListener('abort', abort);
      silence.over();
      together -= bytes;
      end();
    };
    /** Settles at once, also while the request still waits for a connection; it never leaves after that. */
    const stop = (end: () => void): void => {
      settle(end);
      controller?.abort(new Error('Nobody waits for it any more.'));
    };
    const abort = (): void => stop(() => reject(signal?.reason as Error));
    const fail =
      (cause: unknown, silent = false) =>
      (): void =>
        reject(new Unanswered(controller !== null, cause, silent));
    const silence = patience.wait(() => stop(fail(new Error('It said nothing for too long.'), true)));
    const content = body === null || typeof body === 'string' ? body : Readable.from(heard(body, silence.heard));
    signal?.addEventListener('abort', abort, { once: true });
    dispatcher.dispatch(
      { origin: url.origin, path: url.pathname + url.search, method, headers, body: content },
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
          bytes += chunk.length;
          together += chunk.length;
          if (bytes > mostBytes || together > mostTogether) return stop(() => resolve({ ...got, text: null }));
          chunks.push(chunk);
        },
        onResponseEnd: () =>
          settle(() =>
            resolve({ ...got, text: (chunks.length === 1 ? chunks[0] : Buffer.concat(chunks))?.toString() ?? '' }),
          ),
        onResponseError: (_controller, error) => settle(fail(error)),
      },
    );
  });
