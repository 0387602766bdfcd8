import { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import { abortReason } from '../base/abortable.ts';
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
): Promise<Got> =>
  new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(abortReason(signal));
    const got: Omit<Got, 'text'> = { status: 0, headers: {} };
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
