import { Router, type Request, type Response } from 'express';
import type { Assistant } from '../core/assistants/assistantWork.ts';
import type { Companion } from '../core/companion/createCompanion.ts';
import { Problem } from '../core/base/problem.ts';
import type { AssistantApi } from './door.ts';
import { createEventFeeds, type FeedEvent } from './feeds.ts';
import { caller } from './guard.ts';

const mostStreams = { anAssistant: 4, all: 40 };
const keepAliveMs = 25_000;

const serialize = ({ id, type, data }: FeedEvent): string =>
  `id: ${id}\nevent: ${type}\ndata: ${JSON.stringify(data)}\n\n`;

/** `/companion/events`: what happens to an assistant's own approvals and items, as server-sent events. */
export const eventRoutes = (companion: Companion, api: AssistantApi): Router => {
  const router = Router();
  const feeds = createEventFeeds(companion, api);
  const streams = new Map<string, number>();

  const openStream = ({ assistantId }: Assistant): (() => void) => {
    const own = streams.get(assistantId) ?? 0;
    const all = [...streams.values()].reduce((sum, count) => sum + count, 0);
    if (own >= mostStreams.anAssistant || all >= mostStreams.all) {
      const sentence = 'Too many event streams are open. Close one, or read how things stand instead.';
      throw new Problem('TOO_MANY_STREAMS', sentence, { retryAfterS: 30 });
    }
    streams.set(assistantId, own + 1);
    return () => streams.set(assistantId, (streams.get(assistantId) ?? 1) - 1);
  };

  /** Paused or turned away while it listens, an assistant hears no more. */
  const isStillAllowed = (request: Request): boolean => {
    try {
      caller(companion.assistants, request);
      return true;
    } catch {
      return false;
    }
  };

  router.get('/', (request: Request, response: Response) => {
    const by = caller(companion.assistants, request);
    response.once('close', openStream(by));
    const last = request.headers['last-event-id'];
    const { missed, stop } = feeds.listen(by, typeof last === 'string' ? last : null, (event) => send(event));
    response.once('close', stop);
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', connection: 'keep-alive' });
    response.write(': listening\n\n');
    const send = (event: FeedEvent): void => {
      // A listener that does not read is cut off rather than remembered; Last-Event-ID resumes it.
      if (!response.write(serialize(event)) && response.writableLength > 1_000_000) response.destroy();
    };
    missed.forEach(send);
    const keepAlive = setInterval(() => response.write(': alive\n\n'), keepAliveMs);
    const unsubscribe = companion.onChanged((topic) => {
      if (topic === 'assistants' && !isStillAllowed(request)) response.end();
    });
    response.once('close', () => {
      clearInterval(keepAlive);
      unsubscribe();
    });
  });
  return router;
};
