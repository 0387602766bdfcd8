import type * as z from 'zod';
import { exceedsJsonBounds, formatIssueSentence } from '../contract/index.ts';
import { Problem } from '../core/base/problem.ts';
import type { IncomingMessage } from 'node:http';
import type { PhotoBody } from '../core/photos/photoIntake.ts';

/** A body of 1 MiB cannot contain more values than this. */
const jsonBounds = { levels: 32, values: 2 ** 20 };

const createInvalidRequestProblem = (sentence: string) => new Problem('INVALID_REQUEST', sentence);

const findStringEnd = (text: string, from: number): number => {
  for (let at = from + 1; at < text.length; at += 1) {
    const char = text[at];
    if (char === '\\') at += 1;
    else if (char === '"') return at + 1;
  }
  return text.length;
};

/** Refuses duplicate keys, because two programs can understand them differently and `JSON.parse` accepts them. */
const requireUniqueKeys = (text: string): void => {
  const open: (Set<string> | null)[] = [];
  let key: string | null = null;
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at];
    if (char === '"') {
      const end = findStringEnd(text, at);
      key = text.slice(at, end);
      at = end - 1;
    } else if (char === ':') {
      const keys = open.at(-1);
      const name = String(JSON.parse(key ?? '""'));
      if (name === '__proto__') throw createInvalidRequestProblem('A key of that name is not accepted.');
      if (keys?.has(name))
        throw createInvalidRequestProblem(`The body has the key “${name.slice(0, 60)}” twice. Send it once.`);
      keys?.add(name);
    } else if (char === '{' || char === '[') {
      open.push(char === '{' ? new Set() : null);
    } else if (char === '}' || char === ']') open.pop();
  }
};

const parseStrictJson = (text: string): unknown => {
  if (exceedsJsonBounds(text, jsonBounds)) throw createInvalidRequestProblem('The body is nested too deep.');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw createInvalidRequestProblem('The body is not valid JSON.');
  }
  requireUniqueKeys(text);
  return value;
};

/** Limits in bytes. */
export const pairedBodyLimit = 2 ** 20;
export const unpairedBodyLimit = 16 * 2 ** 10;
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

const createTooLargeProblem = (maxBytes: number) =>
  new Problem('BODY_TOO_LARGE', `The body is larger than ${maxBytes === pairedBodyLimit ? '1 MiB' : '16 KiB'}.`);

export const hasRequestBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

const parseContentLength = ({ headers }: IncomingMessage): number | null =>
  headers['content-length'] === undefined ? null : Number(headers['content-length']);

/** Keeps the connection open if the body is not read to the end, so that the caller can still read the answer. */
const iterateBodyChunks = (request: IncomingMessage): AsyncIterable<Buffer> =>
  request.iterator({ destroyOnReturn: false });

/** Returns the body of a photo upload. The code that reads the bytes must enforce the limit. */
export const toPhotoBody = (request: IncomingMessage): PhotoBody => ({
  bytes: iterateBodyChunks(request),
  length: parseContentLength(request),
});

const decodeUtf8Text = (bytes: Buffer): string => {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new Problem('INVALID_REQUEST', 'The body is not UTF-8.');
  }
};

/**
 * Parses the JSON body of a request; undefined if there is no body. Throws `BODY_TOO_LARGE`, `INVALID_REQUEST` or
 * `JSON_ONLY`.
 */
export const readJsonBody = async (request: IncomingMessage, maxBytes = pairedBodyLimit): Promise<unknown> => {
  if (!hasRequestBody(request)) return undefined;
  if (!/^(identity)?$/i.test(request.headers['content-encoding'] ?? ''))
    throw new Problem('JSON_ONLY', 'Send the body as application/json.');
  if ((parseContentLength(request) ?? 0) > maxBytes) throw createTooLargeProblem(maxBytes);
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of iterateBodyChunks(request)) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw createTooLargeProblem(maxBytes);
    chunks.push(chunk);
  }
  const text = decodeUtf8Text(Buffer.concat(chunks));
  return text.trim() === '' ? undefined : parseStrictJson(text);
};

/** Throws `INVALID_REQUEST` with the field. */
export const parseRequestFields = <S extends z.ZodType>(schema: S, given: unknown): z.output<S> => {
  const result = schema.safeParse(given ?? {});
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw new Problem('INVALID_REQUEST', formatIssueSentence(issue), {
    field: issue?.path.map(String).join('.') || 'body',
  });
};
