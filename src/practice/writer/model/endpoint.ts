import * as z from 'zod';

const thisComputer = new Set(['127.0.0.1', 'localhost', '[::1]']);

// Photos and the key are sent to this address, so it must use HTTPS or be on this computer.
const isSafeAddress = (address: string): boolean => {
  if (!URL.canParse(address)) return false;
  const { protocol, hostname, username, password, search, hash } = new URL(address);
  const safe = protocol === 'https:' || (protocol === 'http:' && thisComputer.has(hostname));
  return safe && [username, password, search, hash].every((part) => part === '');
};

/** The error messages never contain a value, because the key is secret. */
export const modelSettings = z.object({
  address: z
    .string()
    .trim()
    .refine(isSafeAddress, {
      error:
        'The address of the model has to begin with https://, or with http:// when it is on this computer, ' +
        'and holds no user name, no question mark and no #.',
    }),
  model: z.string().trim().min(1, 'The name of the model is missing.').max(200, 'The name of the model is too long.'),
  key: z
    .string()
    .trim()
    .regex(/^[\x21-\x7e]+$/, 'The key of the model holds signs that no key has.')
    .optional(),
});

export type ModelSettings = z.infer<typeof modelSettings>;

export type MessagePart = { type: 'text'; text: string } | { type: 'image_url'; image_url: { url: string } };
export type Message = { role: 'system' | 'user' | 'assistant'; content: string | MessagePart[] };

/**
 * Thrown if the model gives no answer. The message is a clause for the seller, without the key and without text of the
 * model.
 */
export class ModelAnswerError extends Error {}

export type Endpoint = {
  /** Returns the model's text. Rejects with `ModelAnswerError` or with the signal's reason. */
  ask(messages: readonly Message[], signal: AbortSignal): Promise<string>;
};

type Options = ModelSettings & {
  shape: Record<string, unknown>;
  fetch: typeof globalThis.fetch;
};

const textParts = z.array(z.object({ text: z.string().default('') }));
const content = z.union([z.string(), textParts.transform((parts) => parts.map(({ text }) => text).join(''))]);
const completion = z.object({ choices: z.tuple([z.object({ message: z.object({ content }) })], z.unknown()) });

const maxAnswerLength = 1_000_000;

const readBody = async (response: Response): Promise<string> => {
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  let text = '';
  while (reader) {
    const { done, value } = await reader.read();
    if (done) break;
    text += decoder.decode(value, { stream: true });
    if (text.length > maxAnswerLength) {
      await reader.cancel();
      throw new ModelAnswerError('its answer was longer than any listing');
    }
  }
  return text;
};

const describeRefusal = (status: number): string => {
  if (status === 0 || (status >= 300 && status < 400)) return 'its address leads to another one, which is not followed';
  if (status === 401 || status === 403) return 'the key was refused';
  if (status === 404) return 'neither address nor name of a model that was set is known there';
  if (status === 413) return 'the photos were too much for it';
  if (status === 429) return 'it takes no more questions at the moment';
  return `it answered with an error (${status})`;
};

const parseCompletion = (body: string): string => {
  try {
    return completion.parse(JSON.parse(body)).choices[0].message.content;
  } catch {
    throw new ModelAnswerError('what answered there is no model');
  }
};

/** Creates an OpenAI-compatible endpoint. The key is sent only in a header, and redirects are not followed. */
export const createModelEndpoint = ({ address, model, key, shape, fetch }: Options): Endpoint => {
  const url = `${address.replace(/\/+$/, '')}/chat/completions`;
  const headers = { 'content-type': 'application/json', ...(key && { authorization: `Bearer ${key}` }) };
  const response_format = { type: 'json_schema', json_schema: { name: 'listing', strict: true, schema: shape } };
  const postMessages = (messages: readonly Message[], withShape: boolean, signal: AbortSignal): Promise<Response> => {
    const body = JSON.stringify({ model, messages, stream: false, ...(withShape && { response_format }) });
    return fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal });
  };
  let acceptsShape = true;

  // Some endpoints refuse every response format, so later requests to them have none.
  const requestResponse = async (messages: readonly Message[], signal: AbortSignal): Promise<Response> => {
    const first = await postMessages(messages, acceptsShape, signal);
    if (!acceptsShape || ![400, 422].includes(first.status)) return first;
    await first.body?.cancel();
    const second = await postMessages(messages, false, signal);
    acceptsShape = !second.ok;
    return second;
  };

  const ask: Endpoint['ask'] = async (messages, signal) => {
    try {
      const response = await requestResponse(messages, signal);
      if (response.ok) return parseCompletion(await readBody(response));
      await response.body?.cancel();
      throw new ModelAnswerError(describeRefusal(response.status));
    } catch (error) {
      signal.throwIfAborted();
      // A network error might quote the request, so its text is not used.
      throw error instanceof ModelAnswerError ? error : new ModelAnswerError('it could not be reached');
    }
  };

  return { ask };
};
