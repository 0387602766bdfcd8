import { setTimeout as wait } from 'node:timers/promises';
import type { Request, Response } from 'express';
import { matchRoute, routeOf } from '../../contract/index.ts';
import { uploadPath, type Fault, type Faults } from './faults.ts';
import { replyOf, send, type Reply } from './reply.ts';

/** The template that faults know a call by. */
const templateOf = (request: Request): string | null => {
  if (/^\/uploads\/[^/]+$/.test(request.path)) return uploadPath;
  const match = matchRoute(request.method, request.path);
  return match.kind === 'route' ? routeOf(match.name).path : null;
};

const faultReply = ({ status = 500, code, error, headers = {}, body = {} }: Fault): Reply => ({
  status,
  headers,
  body: { error: error ?? 'The service was told to fail here.', ...(code === undefined ? {} : { code }), ...body },
});

const replyTo = async (work: () => Promise<Reply>, report: (error: unknown) => void): Promise<Reply> => {
  try {
    return await work();
  } catch (error) {
    return replyOf(error, report);
  }
};

/** Answers a call, unless the controls ordered a fault for it. A lost answer is a connection that breaks. */
export const withFaults =
  (faults: Faults, report: (error: unknown) => void, work: (request: Request, response: Response) => Promise<Reply>) =>
  async (request: Request, response: Response): Promise<void> => {
    const template = templateOf(request);
    const fault = template === null ? null : faults.next(request.method, template);
    if (fault?.delayMs) await wait(fault.delayMs);
    if (fault?.drop === 'before') return void response.socket?.destroy();
    if (fault && fault.drop === undefined && fault.status !== undefined) return send(response, faultReply(fault));
    const answer = await replyTo(() => work(request, response), report);
    if (fault?.drop === 'after') return void response.socket?.destroy();
    send(response, answer);
  };
