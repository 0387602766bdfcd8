import { exceedsJsonBounds } from '../contract/index.ts';
import { Problem } from '../core/base/problem.ts';
import type { IncomingMessage } from 'node:http';
import type { PhotoBody } from '../core/photos/intake.ts';

/** The limits of a JSON body. A body of 1 MiB cannot contain more values than this. */
const bounds = { levels: 32, values: 2 ** 20 };

const bad = (sentence: string) => new Problem('INVALID_REQUEST', sentence);

/** Returns the index after the closing quote of the string whose opening quote is at `from`. */
const endOfString = (text: string, from: number): number => {
  for (let at = from + 1; at < text.length; at += 1) {
    const char = text[at];
    if (char === '\\') at += 1;
    else if (char === '"') return at + 1;
  }
  return text.length;
};

/** Rejects duplicate keys, which `JSON.parse` accepts. */
const checkKeys = (text: string): void => {
  const open: (Set<string> | null)[] = [];
  let key: string | null = null;
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at];
    if (char === '"') {
      const end = endOfString(text, at);
      key = text.slice(at, end);
      at = end - 1;
    } else if (char === ':') {
      const keys = open.at(-1);
      const name = String(JSON.parse(key ?? '""'));
      if (name === '__proto__') throw bad('A key of that name is not accepted.');
      if (keys?.has(name)) throw bad(`The body has the key “${name.slice(0, 60)}” twice. Send it once.`);
      keys?.add(name);
    } else if (char === '{' || char === '[') {
      open.push(char === '{' ? new Set() : null);
    } else if (char === '}' || char === ']') open.pop();
  }
};

/** Parses a body strictly: valid JSON, unique keys, at most 32 levels deep. Throws `INVALID_REQUEST`. */
const parseStrictJson = (text: string): unknown => {
  if (exceedsJsonBounds(text, bounds)) throw bad('The body is nested too deep.');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw bad('The body is not valid JSON.');
  }
  checkKeys(text);
  return value;
};

/** The maximum size of a body in bytes: from a paired assistant, and from any other caller. */
export const pairedBodyLimit = 2 ** 20;
export const unpairedBodyLimit = 16 * 2 ** 10;
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

const tooLarge = (most: number) =>
  new Problem('BODY_TOO_LARGE', `The body is larger than ${most === pairedBodyLimit ? '1 MiB' : '16 KiB'}.`);

export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** Returns the declared length of a body in bytes; null if it is not declared. */
const lengthOf = ({ headers }: IncomingMessage): number | null =>
  headers['content-length'] === undefined ? null : Number(headers['content-length']);

/**
 * Iterates over the body without closing the connection on an early exit, so that a caller that sent too much can still
 * read the answer.
 */
const piecesOf = (request: IncomingMessage): AsyncIterable<Buffer> => request.iterator({ destroyOnReturn: false });

/** Returns the body of a photo upload. The receiver of the bytes enforces the limit. */
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

/**
 * Reads and parses the JSON body of a request; undefined if there is none. Throws `BODY_TOO_LARGE`, `INVALID_REQUEST`,
 * `JSON_ONLY`.
 */
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
