import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import * as z from 'zod';

const requested = z.object({ request: z.looseObject({ method: z.string(), path: z.string() }) });
const answered = requested.extend({ response: z.looseObject({ statusCode: z.int() }) });

/** Listens to the reads of photos that leave this process: their paths, and how each was answered. */
export const photoReads = () => {
  const reads: { path: string; conditional: boolean; status: number }[] = [];
  const hear = (message: unknown): void => {
    const { request, response } = answered.parse(message);
    if (request.method !== 'GET' || !request.path.startsWith('/photos/')) return;
    const conditional = JSON.stringify(request['headers']).toLowerCase().includes('if-none-match');
    reads.push({ path: request.path, conditional, status: response.statusCode });
  };
  subscribe('undici:request:headers', hear);
  return {
    /** What was read since the last time this was asked. */
    take: () => reads.splice(0).map(({ conditional, status }) => ({ conditional, status })),
    stop: () => unsubscribe('undici:request:headers', hear),
  };
};
