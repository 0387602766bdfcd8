import express, { type Request, type Response } from 'express';
import { isBeyond, parseJson } from '../../contract/index.ts';
import { Refusal } from '../refusal.ts';

const bodyLimit = 2 * 1024 * 1024;

const bounds = { levels: 64, values: 200_000 };

const readBytes = express.raw({ limit: bodyLimit, type: 'application/json' });
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const isUtf8 = /^[^;]*(;\s*charset="?utf-8"?\s*)?$/i;

const notJson = (): Refusal => new Refusal(400, 'The body is not valid JSON.');

const jsonOf = (bytes: Buffer): unknown => {
  try {
    const text = utf8.decode(bytes);
    if (!isBeyond(text, bounds)) return text.trim() === '' ? {} : parseJson(text);
  } catch {
    throw notJson();
  }
  throw new Refusal(400, 'The body is nested too deep.');
};

const problem = (error: unknown): Refusal => {
  const type = typeof error === 'object' && error !== null && 'type' in error ? error.type : '';
  if (type === 'entity.too.large') return new Refusal(413, 'The body is larger than 2 MiB.');
  if (type === 'charset.unsupported' || type === 'encoding.unsupported')
    return new Refusal(415, 'The body has to be JSON in UTF-8.');
  return notJson();
};

const hasBody = ({ headers }: Request): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** The JSON body of a call, undefined when there is none. Anything but JSON is refused. */
export const readBody = async (request: Request, response: Response): Promise<unknown> => {
  if (!hasBody(request)) return undefined;
  if (!request.is('application/json')) throw new Refusal(415, 'The body has to be application/json.');
  if (!isUtf8.test(request.headers['content-type'] ?? '')) throw new Refusal(415, 'The body has to be JSON in UTF-8.');
  await new Promise<void>((resolve, reject) => {
    readBytes(request, response, (error?: unknown) => (error === undefined ? resolve() : reject(problem(error))));
  });
  const bytes: unknown = request.body;
  const body = Buffer.isBuffer(bytes) ? jsonOf(bytes) : {};
  if (body === null) throw new Refusal(400, 'The body has to be a JSON object.');
  return body;
};
