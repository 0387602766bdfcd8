import * as z from 'zod';
import { parseSafeAddress } from '../../../text/webAddress.ts';

// Photos and the key are sent to this address.
const isModelAddress = (address: string): boolean => {
  const url = parseSafeAddress(address);
  return url !== null && [url.username, url.password, url.search, url.hash].every((part) => part === '');
};

/** The error messages never contain a value, because the key is secret. */
export const modelSettings = z.object({
  address: z
    .string()
    .trim()
    .refine(isModelAddress, {
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

type Options = ModelSettings & { shape: Record<string, unknown>; fetch: typeof globalThis.fetch };

const textParts = z.array(z.object({ text: z.string().default('') }));
const content = z.union([z.string(), textParts.transform((parts) => parts.map(({ text }) => text).join(''))]);
const completion = z.object({ choices: z.tuple([z.object({ message: z.object({ content }) })], z.unknown()) });

const maxAnswerLength = 1_000_000;

const readBody = async ({ body }: Response): Promise<string> => {
  let text = '';
  for await (const piece of body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += piece;
    if (text.length > maxAnswerLength) throw new ModelAnswerError('its answer was longer than any listing');
  }
  return text;
};

const refusals: Readonly<Record<number, string>> = {
  401: 'the key was refused',
  403: 'the key was refused',
  404: 'neither address nor name of a model that was set is known there',
  413: 'the photos were too much for it',
  429: 'it takes no more questions at the moment',
};

const describeRefusal = (status: number): string =>
  status >= 300 && status < 400
    ? 'its address leads to another one, which is not followed'
    : (refusals[status] ?? `it answered with an error (${status})`);

const parseCompletion = (body: string): string => {
  try {
    return completion.parse(JSON.parse(body)).choices[0].message.content;
  } catch {
    throw new ModelAnswerError('what answered there is no model');
  }
};

/**
 * Creates a function that asks an OpenAI-compatible endpoint and returns the model's text. It rejects with
 * `ModelAnswerError` or with the signal's reason. The key is sent only in a header, and redirects are not followed.
 */
export const createModelEndpoint = ({ address, model, key, shape, fetch }: Options) => {
  const url = `${address.replace(/\/+$/, '')}/chat/completions`;
  const headers = { 'content-type': 'application/json', ...(key && { authorization: `Bearer ${key}` }) };
  const response_format = { type: 'json_schema', json_schema: { name: 'listing', strict: true, schema: shape } };
  let acceptsShape = true;

  const postMessages = (messages: readonly Message[], signal: AbortSignal): Promise<Response> => {
    const body = JSON.stringify({ model, messages, stream: false, ...(acceptsShape && { response_format }) });
    return fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal });
  };

  // Some endpoints refuse every response format, so later requests to them have none.
  const requestResponse = async (messages: readonly Message[], signal: AbortSignal): Promise<Response> => {
    const first = await postMessages(messages, signal);
    if (!acceptsShape || ![400, 422].includes(first.status)) return first;
    await first.body?.cancel();
    acceptsShape = false;
    const second = await postMessages(messages, signal);
    acceptsShape = !second.ok;
    return second;
  };

  return async (messages: readonly Message[], signal: AbortSignal): Promise<string> => {
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
};
export type AskModel = ReturnType<typeof createModelEndpoint>;
