import * as z from 'zod';
import { Problem } from '../core/base/problem.ts';
import { notRunning } from './discovery.ts';

/** What a request sends besides method and address. */
export type Call = {
  body?: unknown;
  /** The whole header. */
  authorization?: string | undefined;
  headers?: Record<string, string>;
  signal?: AbortSignal | undefined;
};
/** An answer that is no refusal; `body` is null where it was no JSON. */
export type BridgeAnswer = { status: number; body: unknown };

const refusal = z.looseObject({ error: z.string(), code: z.string(), field: z.string().optional() });

const problemOf = (status: number, body: unknown, retryAfter: string | null): Problem => {
  const parsed = refusal.safeParse(body);
  if (!parsed.success) return new Problem('UNEXPECTED_ANSWER', `The companion answered ${status} without a reason.`);
  const { error, code, field } = parsed.data;
  return new Problem(code, error, {
    ...(field === undefined ? {} : { field }),
    ...(retryAfter !== null && /^\d+$/.test(retryAfter) ? { retryAfterS: Number(retryAfter) } : {}),
  });
};

/** One request to the companion. Throws its refusal as a `Problem`, and `NOT_RUNNING` when nobody answers. */
export const callBridge = async (address: URL, method: string, call: Call = {}): Promise<BridgeAnswer> => {
  const { body, authorization, headers = {}, signal } = call;
  let response: Response;
  try {
    response = await fetch(address, {
      method,
      redirect: 'error',
      headers: {
        accept: 'application/json, text/event-stream',
        ...headers,
        ...(authorization === undefined ? {} : { authorization }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
    });
  } catch (error) {
    signal?.throwIfAborted();
    throw notRunning(error);
  }
  const answer: unknown = await response.json().catch(() => null);
  if (!response.ok) throw problemOf(response.status, answer, response.headers.get('retry-after'));
  return { status: response.status, body: answer };
};
