import type { Request } from 'express';
import { isBeyond, parseJson } from '../../contract/index.ts';
import { Refusal } from '../refusal.ts';
import { readBytes } from './readBytes.ts';

const bodyLimit = 2 * 1024 * 1024;
const bounds = { levels: 64, values: 200_000 };
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

const hasBody = ({ headers }: Request): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** JSON in UTF-8, as it is: neither in another alphabet nor packed. */
const isPlain = ({ headers }: Request): boolean => {
  const type = headers['content-type'] ?? '';
  const charset = /;\s*charset="?([^";\s]*)/i.exec(type)?.[1] ?? 'utf-8';
  const json = /^application\/json\s*(;|$)/i.test(type) && /^utf-8$/i.test(charset);
  return json && /^(identity)?$/i.test(headers['content-encoding'] ?? '');
};

/** The JSON body of a call, undefined when there is none. Anything but JSON is refused. */
export const readBody = async (request: Request): Promise<unknown> => {
  if (!hasBody(request)) return undefined;
  if (!isPlain(request)) throw new Refusal(415, 'The body has to be application/json in UTF-8.');
  const bytes = await readBytes(request, bodyLimit);
  if (bytes === null) throw new Refusal(413, 'The body is larger than 2 MiB.');
  const body = parsed(bytes);
  if (body === null) throw new Refusal(400, 'The body has to be a JSON object.');
  return body;
};

const parsed = (bytes: Buffer): unknown => {
  const text = textOf(bytes);
  if (isBeyond(text, bounds)) throw new Refusal(400, 'The body is nested too deep.');
  try {
    return text.trim() === '' ? {} : parseJson(text);
  } catch {
    throw notJson();
  }
};

const textOf = (bytes: Buffer): string => {
  try {
    return utf8.decode(bytes);
  } catch {
    throw notJson();
  }
};

const notJson = (): Refusal => new Refusal(400, 'The body is not valid JSON.');
