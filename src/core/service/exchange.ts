import type { Dispatcher } from 'undici';

/** A request to the service as it goes over the wire. */
export type Sent = {
  method: Dispatcher.HttpMethod;
  url: URL;
  headers: Record<string, string>;
  body: string | null;
  signal: AbortSignal | undefined;
};
export type Got = { status: number; headers: Record<string, string | string[] | undefined>; text: string };

/**
 * Sends one request and reads its whole answer as text. Redirects are answers, never followed: one would carry the key to
 * an address that nobody chose. Rejects with what the network said, or with the signal's reason.
 */
export const exchange = (dispatcher: Dispatcher, { method, url, headers, body, signal }: Sent): Promise<Got> =>
  new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason as Error);
    const got: Got = { status: 0, headers: {}, text: '' };
    const chunks: Buffer[] = [];
    let stop = (): void => undefined;
    const settle = (end: () => void): void => {
      signal?.removeEventListener('abort', abort);
      end();
    };
    const abort = (): void => stop();
    signal?.addEventListener('abort', abort, { once: true });
    dispatcher.dispatch(
      { origin: url.origin, path: url.pathname + url.search, method, headers, body },
      {
        onRequestStart: (controller) => {
          stop = () => controller.abort(signal?.reason as Error);
          if (signal?.aborted) stop();
        },
        onResponseStart: (_controller, status, answered) => {
          got.status = status;
          got.headers = answered;
        },
        onResponseData: (_controller, chunk) => void chunks.push(chunk),
        onResponseEnd: () =>
          settle(() =>
            resolve({ ...got, text: (chunks.length === 1 ? chunks[0] : Buffer.concat(chunks))?.toString() ?? '' }),
          ),
        onResponseError: (_controller, error) => settle(() => reject(error)),
      },
    );
  });
