import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { ClientRequest, IncomingMessage } from 'node:http';
import * as z from 'zod';

const answered = z.object({ request: z.instanceof(ClientRequest), response: z.instanceof(IncomingMessage) });

/** Listens to the reads of photos that leave this process: how each was asked, and how it was answered. */
export const photoReads = () => {
  const reads: { conditional: boolean; status: number }[] = [];
  const hear = (message: unknown): void => {
    const { request, response } = answered.parse(message);
    if (request.method !== 'GET' || !request.path.startsWith('/photos/')) return;
    reads.push({ conditional: request.hasHeader('if-none-match'), status: response.statusCode ?? 0 });
  };
  subscribe('http.client.response.finish', hear);
  return {
    /** What was read since the last time this was asked. */
    take: () => reads.splice(0),
    stop: () => unsubscribe('http.client.response.finish', hear),
  };
};
