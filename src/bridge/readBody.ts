import type { IncomingMessage } from 'node:http';
import { Problem } from '../core/problem.ts';
import { scanJson } from './scanJson.ts';

const mostBytes = 2 ** 20;

const tooLarge = () => new Problem('BODY_TOO_LARGE', 'The body is larger than 1 MiB.');

/** Whether a request brings a body at all. */
export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** Reads and parses the JSON body of a request; undefined when there is none. Throws `BODY_TOO_LARGE`, `INVALID_REQUEST`. */
export const readJson = async (request: IncomingMessage): Promise<unknown> => {
  if (!hasBody(request)) return undefined;
  if (Number(request.headers['content-length'] ?? 0) > mostBytes) throw tooLarge();
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > mostBytes) throw tooLarge();
    chunks.push(chunk);
  }
  const text = Buffer.concat(chunks).toString('utf8');
  return text.trim() === '' ? undefined : scanJson(text);
};
