import type { IncomingMessage } from 'node:http';
import { Problem } from '../core/problem.ts';
import { scanJson } from './scanJson.ts';

/** The bytes of a body that are read at most: of an assistant that was let in, and of anybody else. */
export const mostOfKnown = 2 ** 20;
export const mostOfUnknown = 16 * 2 ** 10;
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

const tooLarge = (most: number) => () =>
  new Problem('BODY_TOO_LARGE', `The body is larger than ${most === mostOfKnown ? '1 MiB' : '16 KiB'}.`);

/** Whether a request brings a body at all. */
export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/**
 * The bytes of a body as they come, at most so many; throws `problem` for more, at once when the length is said before.
 * The connection stays open either way: whoever sent too much can still read the answer.
 */
export const atMost = async function* (
  request: IncomingMessage,
  most: number,
  problem: () => Problem,
): AsyncGenerator<Buffer> {
  if (Number(request.headers['content-length'] ?? 0) > most) throw problem();
  let bytes = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > most) throw problem();
    yield chunk;
  }
};

const textOf = (bytes: Buffer): string => {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new Problem('INVALID_REQUEST', 'The body is not UTF-8.');
  }
};

/** Reads and parses the JSON body of a request; undefined when there is none. Throws `BODY_TOO_LARGE`,
 * `INVALID_REQUEST`, `JSON_ONLY`. */
export const readJson = async (request: IncomingMessage, most = mostOfKnown): Promise<unknown> => {
  if (!hasBody(request)) return undefined;
  if (!/^(identity)?$/i.test(request.headers['content-encoding'] ?? ''))
    throw new Problem('JSON_ONLY', 'Send the body as application/json.');
  const chunks: Buffer[] = [];
  for await (const chunk of atMost(request, most, tooLarge(most))) chunks.push(chunk);
  const text = textOf(Buffer.concat(chunks));
  return text.trim() === '' ? undefined : scanJson(text);
};
