import * as z from 'zod';

const thisComputer = new Set(['127.0.0.1', 'localhost', '[::1]']);

// Photos and the key travel there, so it is encrypted or does not leave the machine.
const mayBeAsked = (address: string): boolean => {
  if (!URL.canParse(address)) return false;
  const { protocol, hostname, username, password, search, hash } = new URL(address);
  const safe = protocol === 'https:' || (protocol === 'http:' && thisComputer.has(hostname));
  return safe && [username, password, search, hash].every((part) => part === '');
};

/** Where a model is asked, and with which key. The messages never repeat what was given. */
export const modelSettings = z.object({
  address: z
    .string()
    .trim()
    .refine(mayBeAsked, {
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

/** Settings that were checked. */
export type ModelSettings = z.infer<typeof modelSettings>;

/** A part of a message, as the OpenAI-compatible chat completions take it. */
export type MessagePart = { type: 'text'; text: string } | { type: 'image_url'; image_url: { url: string } };
/** One message of a chat. */
export type Message = { role: 'system' | 'user' | 'assistant'; content: string | MessagePart[] };

/** Why there is no answer of the model: a clause for the person, with nothing in it of the key or of what was answered. */
export class NoAnswer extends Error {}

/** A model that can be asked. */
export type Endpoint = {
  /** What the model says; rejects with `NoAnswer`, or with the signal's reason. */
  ask(messages: readonly Message[], signal: AbortSignal): Promise<string>;
};

type Options = ModelSettings & {
  /** The shape that the answer should have, as JSON Schema. */
  shape: Record<string, unknown>;
  fetch: typeof globalThis.fetch;
};

const completion = z.object({
  choices: z
    .array(
      z.object({
        message: z.object({
          content: z.union([
            z.string(),
            z
              .array(z.object({ text: z.string().default('') }))
              .transform((parts) => parts.map((it) => it.text).join('')),
          ]),
        }),
      }),
    )
    .min(1),
});

const longestAnswer = 1_000_000;

const bodyOf = async (response: Response): Promise<string> => {
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  let text = '';
  while (reader) {
    const { done, value } = await reader.read();
    if (done) break;
    text += decoder.decode(value, { stream: true });
    if (text.length > longestAnswer) {
      await reader.cancel();
      throw new NoAnswer('its answer was longer than any listing');
    }
  }
  return text;
};

const refusal = (status: number): string => {
  if (status === 0 || (status >= 300 && status < 400)) return 'its address leads to another one, which is not followed';
  if (status === 401 || status === 403) return 'the key was refused';
  if (status === 404) return 'neither address nor name of a model that was set is known there';
  if (status === 413) return 'the photos were too much for it';
  if (status === 429) return 'it takes no more questions at the moment';
  return `it answered with an error (${status})`;
};

const contentOf = (body: string): string => {
  try {
    return completion.parse(JSON.parse(body)).choices[0]?.message.content ?? '';
  } catch {
    throw new NoAnswer('what answered there is no model');
  }
};

type Post = (messages: readonly Message[], withShape: boolean, signal: AbortSignal) => Promise<Response>;

const poster = ({ address, model, key, shape, fetch }: Options): Post => {
  const url = `${address.replace(/\/+$/, '')}/chat/completions`;
  const headers = { 'content-type': 'application/json', ...(key && { authorization: `Bearer ${key}` }) };
  const format = { type: 'json_schema', json_schema: { name: 'listing', strict: true, schema: shape } };
  return (messages, withShape, signal) =>
    fetch(url, {
      method: 'POST',
      headers,
      body: JSON.stringify({ model, messages, stream: false, ...(withShape && { response_format: format }) }),
      redirect: 'manual',
      signal,
    });
};

/** An OpenAI-compatible endpoint. The key goes into one header and nowhere else; redirects are not followed. */
export const createEndpoint = (options: Options): Endpoint => {
  const post = poster(options);
  let takesShape = true;

  // Some endpoints refuse a question because of the shape it asks for; they are asked without from then on.
  const answered = async (messages: readonly Message[], signal: AbortSignal): Promise<Response> => {
    const first = await post(messages, takesShape, signal);
    if (!takesShape || ![400, 422].includes(first.status)) return first;
    await first.body?.cancel();
    const second = await post(messages, false, signal);
    takesShape = !second.ok;
    return second;
  };

  const ask: Endpoint['ask'] = async (messages, signal) => {
    try {
      const response = await answered(messages, signal);
      if (response.ok) return contentOf(await bodyOf(response));
      await response.body?.cancel();
      throw new NoAnswer(refusal(response.status));
    } catch (error) {
      signal.throwIfAborted();
      // What the network says of a failure may quote the request, so it is not passed on.
      throw error instanceof NoAnswer ? error : new NoAnswer('it could not be reached');
    }
  };

  return { ask };
};
