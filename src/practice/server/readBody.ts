import express, { type Request, type Response } from 'express';
import { Refusal } from '../refusal.ts';

const bodyLimit = 2 * 1024 * 1024;

const parseJson = express.json({ limit: bodyLimit, strict: false, type: 'application/json' });

const problem = (error: unknown): Refusal => {
  const type = typeof error === 'object' && error !== null && 'type' in error ? error.type : '';
  if (type === 'entity.too.large') return new Refusal(413, 'The body is larger than 2 MiB.');
  if (type === 'charset.unsupported' || type === 'encoding.unsupported')
    return new Refusal(415, 'The body has to be JSON in UTF-8.');
  return new Refusal(400, 'The body is not valid JSON.');
};

const hasBody = ({ headers }: Request): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** The JSON body of a call, undefined when there is none. Anything but JSON is refused. */
export const readBody = async (request: Request, response: Response): Promise<unknown> => {
  if (!hasBody(request)) return undefined;
  if (!request.is('application/json')) throw new Refusal(415, 'The body has to be application/json.');
  await new Promise<void>((resolve, reject) => {
    parseJson(request, response, (error?: unknown) => (error === undefined ? resolve() : reject(problem(error))));
  });
  const body: unknown = request.body;
  if (body === null) throw new Refusal(400, 'The body has to be a JSON object.');
  return body;
};
