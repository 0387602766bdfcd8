import { once } from 'node:events';
import type { Request, Response } from 'express';
import { matchRoute, routeOf } from '../../contract/index.ts';
import type { World } from '../world/world.ts';
import { photoBytesLimit } from '../world/photos.ts';
import { uploadPath, type Fault, type Faults } from './faults.ts';
import { readEarly } from './readBytes.ts';
import { replyOf, send, type Reply } from './reply.ts';

/** The template that faults know a call by. */
const templateOf = (request: Request): string | null => {
  if (/^\/uploads\/[^/]+$/.test(request.path)) return uploadPath;
  const match = matchRoute(request.method, request.path);
  return match.kind === 'route' ? routeOf(match.name).path : null;
};

const refusalOf = ({ status = 500, code, error, headers = {}, body = {}, text }: Fault): Reply =>
  text === undefined
    ? {
        status,
        headers,
        body: {
          error: error ?? 'The service was told to fail here.',
          ...(code === undefined ? {} : { code }),
          ...body,
        },
      }
    : { status, headers: { 'content-type': 'text/html', ...headers }, body: text };

const replyTo = async (work: () => Promise<Reply>, report: (error: unknown) => void): Promise<Reply> => {
  try {
    return await work();
  } catch (error) {
    return replyOf(error, report);
  }
};

/** An answer as it was ordered: with fields more, or as a text that is no JSON. */
const spoilt = (reply: Reply, { body, text }: Fault): Reply => {
  if (text !== undefined)
    return { ...reply, headers: { ...reply.headers, 'content-type': 'application/json' }, body: text };
  return body === undefined ? reply : { ...reply, body: withMore(reply.body, body) };
};

const withMore = (body: unknown, more: Record<string, unknown>): unknown => {
  if (Array.isArray(body)) return body.map((one: unknown) => withMore(one, more));
  return body !== null && typeof body === 'object' ? { ...body, ...more } : body;
};

/** Half of an answer that was announced as a whole, and then the end of the connection. */
const sendHalf = (response: Response, { status, headers, body }: Reply): void => {
  const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
  response.writeHead(status, { 'content-type': 'application/json', ...headers, 'content-length': bytes.length });
  response.write(bytes.subarray(0, Math.floor(bytes.length / 2)), () => void response.socket?.destroy());
};

const blanks = Buffer.alloc(64 * 1024, ' ');

/** A whole answer with blanks behind it, as long as the other side takes them. */
const sendPadded = async (response: Response, { status, headers, body }: Reply, padBytes: number): Promise<void> => {
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

/** Answers a call, unless the controls ordered a fault for it. */
export const withFaults =
  (faults: Faults, { clock, report }: World, work: (request: Request) => Promise<Reply>) =>
  async (request: Request, response: Response): Promise<void> => {
    const template = templateOf(request);
    const fault = template === null ? null : faults.next(request.method, template);
    if (!fault) return send(response, await replyTo(() => work(request), report));
    if (fault.delayMs) {
      // It is there and is answered late: that happens also when the caller has left meanwhile.
      readEarly(request, photoBytesLimit);
      await clock.sleep(fault.delayMs, new AbortController().signal);
    }
    if (fault.drop === 'before') return void response.socket?.resetAndDestroy();
    if (fault.silent === 'before') return;
    const refusal = fault.drop === undefined && fault.status !== undefined ? refusalOf(fault) : null;
    if (refusal && !fault.done) return send(response, refusal);
    const answer = await replyTo(() => work(request), report);
    if (fault.silent === 'after') return;
    if (fault.drop === 'after') return void response.socket?.destroy();
    if (fault.drop === 'half') return sendHalf(response, answer);
    if (fault.padBytes !== undefined) return sendPadded(response, answer, fault.padBytes);
    send(response, refusal ?? spoilt(answer, fault));
  };
