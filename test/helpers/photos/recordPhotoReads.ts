import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { ClientRequest, IncomingMessage } from 'node:http';
import * as z from 'zod';

const answered = z.object({ request: z.instanceof(ClientRequest), response: z.instanceof(IncomingMessage) });

/** Records the read requests for photos that leave this process, with their answers. */
export const recordPhotoReads = () => {
  const reads: { conditional: boolean; status: number }[] = [];
  const hear = (message: unknown): void => {
    const { request, response } = answered.parse(message);
    if (request.method !== 'GET' || !request.path.startsWith('/photos/')) return;
    reads.push({ conditional: request.hasHeader('if-none-match'), status: response.statusCode ?? 0 });
  };
  subscribe('http.client.response.finish', hear);
  return {
    /** Returns the reads since the last call. */
    take: () => reads.splice(0),
    stop: () => unsubscribe('http.client.response.finish', hear),
  };
};
