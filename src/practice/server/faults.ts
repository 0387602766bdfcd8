import * as z from 'zod';
import { routeNames, findRouteByName, matchRouteByPath } from '../../contract/index.ts';
import { once } from 'node:events';
import type { Request, Response } from 'express';
import type { World } from '../world/world.ts';
import { maxPhotoBytes } from '../world/listings/photos.ts';
import { startReadingBody, toErrorReply, sendCallReply, type Reply } from './http.ts';

/** Upload addresses are not routes of the interface, but their answers can get lost, too. */
const uploadPath = '/uploads/{token}';

const isKnownRoute = (method: string, path: string): boolean =>
  (method === 'PUT' && path === uploadPath) ||
  routeNames.some((name) => findRouteByName(name).method === method && findRouteByName(name).path === path);

/** The input of a fault, which applies to the next matching calls. */
export const faultInput = z
  .strictObject({
    method: z.string().transform((method) => method.toUpperCase()),
    path: z.string(),
    times: z.int().min(1).max(1_000_000).default(1),
    /**
     * The status of an answer that replaces the call. Below 400 the answer claims success although nothing was done.
     */
    status: z.union([z.int().min(200).max(299), z.int().min(400).max(599)]).optional(),
    code: z.string().optional(),
    error: z.string().optional(),
    headers: z.record(z.string(), z.string()).optional(),
    /** Additional fields of the answer, e.g. `rateCents`, whether it is a refusal or the call's normal answer. */
    body: z.record(z.string(), z.unknown()).optional(),
    /** Text to send instead of JSON: with a status, the page of a proxy; without a status, a malformed answer. */
    text: z.string().optional(),
    /** The number of blanks to send after the answer. */
    padBytes: z.int().min(0).max(1_000_000_000).optional(),
    /** Measured by the service's own clock. */
    delayMs: z.int().min(0).max(600_000).optional(),
    /** Whether the connection is reset before the effect, or closed after it without the answer or with half of it. */
    drop: z.enum(['before', 'after', 'half']).optional(),
    /** Whether the call never gets an answer, before or after the effect. The connection stays open. */
    silent: z.enum(['before', 'after']).optional(),
    /** If true, the call takes effect before it is answered with the status. */
    done: z.boolean().default(false),
  })
  .refine(
    ({ method, path }) => isKnownRoute(method, path),
    'path: Name a route as the interface writes it, with its method.',
  );
type Fault = z.infer<typeof faultInput>;

export type FaultList = {
  add: (fault: Fault) => void;
  clear: () => void;
  list: () => Fault[];
  /** Returns the fault of this call, if there is one, and decrements its remaining count. */
  takeNext: (method: string, path: string) => Fault | null;
};

/** Creates an empty list of faults. Faults are consumed in order and are lost on restart. */
export const createFaultList = (): FaultList => {
  let waiting: Fault[] = [];
  return {
    add: (pendingFault) => void waiting.push({ ...pendingFault }),
    clear: () => void (waiting = []),
    list: () => waiting.map((pendingFault) => ({ ...pendingFault })),
    takeNext: (method, path) => {
      const found = waiting.find((pendingFault) => pendingFault.method === method && pendingFault.path === path);
      if (!found) return null;
      found.times -= 1;
      waiting = waiting.filter(({ times }) => times > 0);
      return found;
    },
  };
};

/** Returns the path template that faults use to match a call. */
const readPathTemplate = (request: Request): string | null => {
  if (/^\/uploads\/[^/]+$/.test(request.path)) return uploadPath;
  const match = matchRouteByPath(request.method, request.path);
  return match.kind === 'route' ? findRouteByName(match.name).path : null;
};

const createFaultReply = ({ status = 500, code, error, headers = {}, body = {}, text }: Fault): Reply =>
  text === undefined
    ? {
        status,
        headers,
        body:
          status < 400
            ? body
            : {
                error: error ?? 'The service was told to fail here.',
                ...(code === undefined ? {} : { code }),
                ...body,
              },
      }
    : { status, headers: { 'content-type': 'text/html', ...headers }, body: text };

const runToReply = async (work: () => Promise<Reply>, report: (error: unknown) => void): Promise<Reply> => {
  try {
    return await work();
  } catch (error) {
    return toErrorReply(error, report);
  }
};

/** Applies a fault to an answer: additional fields, or a text that is not JSON. */
const applyReplyFault = (reply: Reply, { body, text }: Fault): Reply => {
  if (text !== undefined)
    return { ...reply, headers: { ...reply.headers, 'content-type': 'application/json' }, body: text };
  return body === undefined ? reply : { ...reply, body: addBodyFields(reply.body, body) };
};

const addBodyFields = (body: unknown, extraFields: Record<string, unknown>): unknown => {
  if (Array.isArray(body)) return body.map((entry: unknown) => addBodyFields(entry, extraFields));
  return body !== null && typeof body === 'object' ? { ...body, ...extraFields } : body;
};

/** Sends half of an answer whose full length was announced, then closes the connection. */
const sendHalfReply = (response: Response, { status, headers, body }: Reply): void => {
  const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
  response.writeHead(status, { 'content-type': 'application/json', ...headers, 'content-length': bytes.length });
  response.write(bytes.subarray(0, Math.floor(bytes.length / 2)), () => void response.socket?.destroy());
};

const blanks = Buffer.alloc(64 * 1024, ' ');

/** Sends a whole answer followed by blanks, for as long as the client reads. */
const sendPaddedReply = async (
  response: Response,
  { status, headers, body }: Reply,
  padBytes: number,
): Promise<void> => {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.write(typeof body === 'string' ? body : JSON.stringify(body));
  for (let left = padBytes; left > 0 && !response.destroyed; left -= blanks.length) {
    if (response.write(blanks)) continue;
    const done = new AbortController();
    const { signal } = done;
    await Promise.race([once(response, 'drain', { signal }), once(response, 'close', { signal })]).catch(
      () => undefined,
    );
    done.abort();
  }
  response.end();
};

/** Wraps a request handler so that it applies the pending faults. */
export const wrapWithFaults =
  (faults: FaultList, { clock, report }: World, work: (request: Request) => Promise<Reply>) =>
  async (request: Request, response: Response): Promise<void> => {
    const template = readPathTemplate(request);
    const fault = template === null ? null : faults.takeNext(request.method, template);
    if (!fault) return sendCallReply(response, await runToReply(() => work(request), report));
    if (fault.delayMs) {
      // Read the body first: the delayed call takes effect even if the client disconnects during the delay.
      startReadingBody(request, maxPhotoBytes);
      await clock.sleep(fault.delayMs, new AbortController().signal);
    }
    if (fault.drop === 'before') return void response.socket?.resetAndDestroy();
    if (fault.silent === 'before') return;
    const refusal = fault.drop === undefined && fault.status !== undefined ? createFaultReply(fault) : null;
    if (refusal && !fault.done) return sendCallReply(response, refusal);
    const answer = await runToReply(() => work(request), report);
    if (fault.silent === 'after') return;
    if (fault.drop === 'after') return void response.socket?.destroy();
    if (fault.drop === 'half') return sendHalfReply(response, answer);
    if (fault.padBytes !== undefined) return sendPaddedReply(response, answer, fault.padBytes);
    sendCallReply(response, refusal ?? applyReplyFault(answer, fault));
  };
