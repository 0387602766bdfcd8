import type { IncomingMessage } from 'node:http';
import type { PhotoBody } from '../core/photos/intake.ts';
import { Problem } from '../core/base/problem.ts';
import { parseStrictJson } from './scanJson.ts';

/** The bytes of a body that are read at most: of an assistant that was let in, and of anybody else. */
export const pairedBodyLimit = 2 ** 20;
export const unpairedBodyLimit = 16 * 2 ** 10;
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

const tooLarge = (most: number) =>
  new Problem('BODY_TOO_LARGE', `The body is larger than ${most === pairedBodyLimit ? '1 MiB' : '16 KiB'}.`);

/** Whether a request brings a body at all. */
export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** How many bytes a request says that it brings; null when it does not say. */
const lengthOf = ({ headers }: IncomingMessage): number | null =>
  headers['content-length'] === undefined ? null : Number(headers['content-length']);

/** Who stops in the middle leaves the connection open: whoever sent too much can still read the answer. */
const piecesOf = (request: IncomingMessage): AsyncIterable<Buffer> => request.iterator({ destroyOnReturn: false });

/** The bytes of a photo that a request brings; how many it may have is for the one to say who takes them. */
export const photoBody = (request: IncomingMessage): PhotoBody => ({
  bytes: piecesOf(request),
  length: lengthOf(request),
});

const textOf = (bytes: Buffer): string => {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new Problem('INVALID_REQUEST', 'The body is not UTF-8.');
  }
};

/** Reads and parses the JSON body of a request; undefined when there is none. Throws `BODY_TOO_LARGE`,
 * `INVALID_REQUEST`, `JSON_ONLY`. */
export const readJson = async (request: IncomingMessage, most = pairedBodyLimit): Promise<unknown> => {
  if (!hasBody(request)) return undefined;
  if (!/^(identity)?$/i.test(request.headers['content-encoding'] ?? ''))
    throw new Problem('JSON_ONLY', 'Send the body as application/json.');
  if ((lengthOf(request) ?? 0) > most) throw tooLarge(most);
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of piecesOf(request)) {
    bytes += chunk.length;
    if (bytes > most) throw tooLarge(most);
    chunks.push(chunk);
  }
  const text = textOf(Buffer.concat(chunks));
  return text.trim() === '' ? undefined : parseStrictJson(text);
};
