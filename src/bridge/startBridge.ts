import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express, { type NextFunction, type Request, type Response } from 'express';
import type { Companion } from '../core/companion.ts';
import { Problem } from '../core/problem.ts';
import { sendProblem } from './bridgeProblem.ts';
import { companionRoutes } from './companionRoutes.ts';
import { removeDiscovery, writeDiscovery } from './discovery.ts';
import { guard } from './guard.ts';
import { mirror } from './mirror.ts';

type Parts = { companion: Companion; dataDir: string; port: number; version: string };

/** Starts the loopback API for assistants on 127.0.0.1; port 0 picks a free one. Throws `PORT_TAKEN`. */
export const startBridge = async ({ companion, dataDir, port, version }: Parts) => {
  let url = '';
  let actualPort = port;
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.use(guard(() => actualPort));
  app.use(express.json({ limit: '1mb', strict: true, type: 'application/json' }));
  app.get('/health', (_request: Request, response: Response) => {
    response.json({ status: 'ok' });
  });
  app.use('/companion', companionRoutes(companion, { version, url: () => url }));
  app.use(mirror(companion));
  app.use((error: unknown, _request: Request, response: Response, _next: NextFunction) =>
    sendProblem(response, readable(error)),
  );

  const server = createServer(app);
  server.headersTimeout = 10_000;
  server.requestTimeout = 60_000;
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(listenProblem(error, port)));
    server.listen(port, '127.0.0.1', resolve);
  });
  actualPort = (server.address() as AddressInfo).port;
  url = `http://127.0.0.1:${actualPort}`;
  await writeDiscovery(dataDir, { url, pid: process.pid, version, startedAt: new Date().toISOString() });
  return {
    url,
    stop: async () => {
      await removeDiscovery(dataDir);
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
};

const listenProblem = (error: NodeJS.ErrnoException, port: number): Problem =>
  error.code === 'EADDRINUSE'
    ? new Problem(
        'PORT_TAKEN',
        `Port ${port} is taken by another program. Choose another one with --bridge-port, or 0 for any free one.`,
      )
    : new Problem('BRIDGE_FAILED', 'The bridge for assistants could not start.', { cause: error });

/** Express's own complaints about a body, in the companion's words. */
const readable = (error: unknown): unknown => {
  if (!(error instanceof Error) || error instanceof Problem || !('type' in error)) return error;
  if (error.type === 'entity.too.large') return new Problem('BODY_TOO_LARGE', 'The body is larger than 1 MiB.');
  if (error.type === 'charset.unsupported') return new Problem('JSON_ONLY', 'Send the body as UTF-8 JSON.');
  return new Problem('INVALID_REQUEST', 'The body is not valid JSON.');
};
