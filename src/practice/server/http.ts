import type { IncomingMessage } from 'node:http';
import type { Request, Response } from 'express';
import { exceedsJsonBounds, parseUntrustedJson } from '../../contract/index.ts';
import { Refusal } from '../refusal.ts';
import { answerAndClose } from '../../loopback/http.ts';

const earlyBodies = new WeakMap<IncomingMessage, Promise<Buffer | null>>();

/** Starts reading a body before it is needed, because the body is lost if the client disconnects. */
export const prefetchBody = (request: IncomingMessage, maxBytes: number): void => {
  const bytes = readBytesUpTo(request, maxBytes);
  // The error reaches the caller of `readBodyBytes`. This handler prevents an unhandled rejection.
  bytes.catch(() => undefined);
  earlyBodies.set(request, bytes);
};

/** Returns the bytes of a body, or null if it is longer than `maxBytes`. */
export const readBodyBytes = async (request: IncomingMessage, maxBytes: number): Promise<Buffer | null> => {
  const bytes = await (earlyBodies.get(request) ?? readBytesUpTo(request, maxBytes));
  return bytes !== null && bytes.length > maxBytes ? null : bytes;
};

const readBytesUpTo = async (request: IncomingMessage, maxBytes: number): Promise<Buffer | null> => {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) return null;
  const pieces: Buffer[] = [];
  let count = 0;
  for await (const piece of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    count += piece.length;
    if (count > maxBytes) return null;
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
};

const maxBodyBytes = 2 * 1024 * 1024;
const jsonBounds = { levels: 64, values: 200_000 };
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

const hasRequestBody = ({ headers }: Request): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

const isPlainJsonBody = ({ headers }: Request): boolean => {
  const type = headers['content-type'] ?? '';
  const charset = /;\s*charset="?([^";\s]*)/i.exec(type)?.[1] ?? 'utf-8';
  const json = /^application\/json\s*(;|$)/i.test(type) && /^utf-8$/i.test(charset);
  return json && /^(identity)?$/i.test(headers['content-encoding'] ?? '');
};

/** Returns the JSON body of a call, or undefined if the call has no body. Refuses any other content type. */
export const readJsonBody = async (request: Request): Promise<unknown> => {
  if (!hasRequestBody(request)) return undefined;
  if (!isPlainJsonBody(request)) throw new Refusal(415, 'The body has to be application/json in UTF-8.');
  const bytes = await readBodyBytes(request, maxBodyBytes);
  if (bytes === null) throw new Refusal(413, 'The body is larger than 2 MiB.');
  const body = parseJsonBytes(bytes);
  if (body === null) throw new Refusal(400, 'The body has to be a JSON object.');
  return body;
};

const parseJsonBytes = (bytes: Buffer): unknown => {
  const text = decodeUtf8Bytes(bytes);
  if (exceedsJsonBounds(text, jsonBounds)) throw new Refusal(400, 'The body is nested too deep.');
  try {
    return text.trim() === '' ? {} : parseUntrustedJson(text);
  } catch {
    throw createInvalidJsonRefusal();
  }
};

const decodeUtf8Bytes = (bytes: Buffer): string => {
  try {
    return utf8.decode(bytes);
  } catch {
    throw createInvalidJsonRefusal();
  }
};

const createInvalidJsonRefusal = (): Refusal => new Refusal(400, 'The body is not valid JSON.');

export type Reply = { status: number; headers: Record<string, string>; body: unknown };

/** Converts an error to a reply. An error that is not a `Refusal` is reported and answered with 500. */
export const toErrorReply = (thrown: unknown, report: (error: unknown) => void): Reply => {
  if (thrown instanceof Refusal) {
    const { code, headers = {}, body = {} } = thrown.facts;
    return {
      status: thrown.status,
      headers,
      body: { error: thrown.message, ...(code === undefined ? {} : { code }), ...body },
    };
  }
  report(thrown);
  return { status: 500, headers: {}, body: { error: 'Something went wrong in the service.' } };
};

/**
 * Sends a string body unchanged and any other body as JSON. If the request is too large, sends the reply before the
 * whole request has arrived.
 */
export const sendCallReply = (response: Response, { status, headers, body }: Reply): void => {
  response.status(status).set(headers);
  if (status === 413 && !response.req.complete) answerAndClose(response.type('json'), JSON.stringify(body));
  else if (typeof body === 'string') response.send(body);
  else response.json(body);
};
