import * as z from 'zod';
import { routeNames, getRouteByName, matchRouteByPath } from '../../contract/index.ts';
import { once } from 'node:events';
import type { Request, Response } from 'express';
import type { World } from '../world/world.ts';
import { maxPhotoBytes } from '../world/listings/photos.ts';
import { prefetchBody, toErrorReply, sendCallReply, type Reply } from './http.ts';

/** Faults also apply to uploads, although an upload URL is not a route of the interface. */
const uploadPath = '/uploads/{token}';

const isKnownRoute = (method: string, path: string): boolean =>
  (method === 'PUT' && path === uploadPath) ||
  routeNames.some((name) => getRouteByName(name).method === method && getRouteByName(name).path === path);

export const faultInput = z
  .strictObject({
    method: z.string().transform((method) => method.toUpperCase()),
    path: z.string(),
    times: z.int().min(1).max(1_000_000).default(1),
    /**
     * The status of an answer that is sent instead of performing the call. A status below 400 simulates a success that
     * did not happen.
     */
    status: z.union([z.int().min(200).max(299), z.int().min(400).max(599)]).optional(),
    code: z.string().optional(),
    error: z.string().optional(),
    headers: z.record(z.string(), z.string()).optional(),
    body: z.record(z.string(), z.unknown()).optional(),
    /**
     * A text that replaces the JSON body. With a status it simulates the page of a proxy, otherwise a malformed answer.
     */
    text: z.string().optional(),
    padBytes: z.int().min(0).max(1_000_000_000).optional(),
    delayMs: z.int().min(0).max(600_000).optional(),
    /**
     * `before`: the connection is reset, and the call has no effect. `after`: the call has its effect, but no answer is
     * sent. `half`: the call has its effect, but only half of the answer is sent.
     */
    drop: z.enum(['before', 'after', 'half']).optional(),
    /**
     * The connection stays open without an answer. `before`: the call has no effect. `after`: the call has its effect.
     */
    silent: z.enum(['before', 'after']).optional(),
    /** If true, the call is performed, and then answered with `status`. */
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
  takeNext: (method: string, path: string) => Fault | null;
};

/** Creates an empty list of faults. Faults apply in the order in which they were added and are lost on restart. */
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

const findPathTemplate = (request: Request): string | null => {
  if (/^\/uploads\/[^/]+$/.test(request.path)) return uploadPath;
  const match = matchRouteByPath(request.method, request.path);
  return match.kind === 'route' ? getRouteByName(match.name).path : null;
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

const runAndGetReply = async (work: () => Promise<Reply>, report: (error: unknown) => void): Promise<Reply> => {
  try {
    return await work();
  } catch (error) {
    return toErrorReply(error, report);
  }
};

const applyReplyFault = (reply: Reply, { body, text }: Fault): Reply => {
  if (text !== undefined)
    return { ...reply, headers: { ...reply.headers, 'content-type': 'application/json' }, body: text };
  return body === undefined ? reply : { ...reply, body: addBodyFields(reply.body, body) };
};

const addBodyFields = (body: unknown, extraFields: Record<string, unknown>): unknown => {
  if (Array.isArray(body)) return body.map((entry: unknown) => addBodyFields(entry, extraFields));
  return body !== null && typeof body === 'object' ? { ...body, ...extraFields } : body;
};

/** The header announces the full length, so the client can detect that the answer is incomplete. */
const sendHalfReply = (response: Response, { status, headers, body }: Reply): void => {
  const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
  response.writeHead(status, { 'content-type': 'application/json', ...headers, 'content-length': bytes.length });
  response.write(bytes.subarray(0, Math.floor(bytes.length / 2)), () => void response.socket?.destroy());
};

const blanks = Buffer.alloc(64 * 1024, ' ');

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
    const template = findPathTemplate(request);
    const fault = template === null ? null : faults.takeNext(request.method, template);
    if (!fault) return sendCallReply(response, await runAndGetReply(() => work(request), report));
    if (fault.delayMs) {
      // Read the body before the delay, because the body is lost if the client disconnects during the delay.
      prefetchBody(request, maxPhotoBytes);
      await clock.sleep(fault.delayMs, new AbortController().signal);
    }
    if (fault.drop === 'before') return void response.socket?.resetAndDestroy();
    if (fault.silent === 'before') return;
    const refusal = fault.drop === undefined && fault.status !== undefined ? createFaultReply(fault) : null;
    if (refusal && !fault.done) return sendCallReply(response, refusal);
    const answer = await runAndGetReply(() => work(request), report);
    if (fault.silent === 'after') return;
    if (fault.drop === 'after') return void response.socket?.destroy();
    if (fault.drop === 'half') return sendHalfReply(response, answer);
    if (fault.padBytes !== undefined) return sendPaddedReply(response, answer, fault.padBytes);
    sendCallReply(response, refusal ?? applyReplyFault(answer, fault));
  };
