import express, { type Express, type NextFunction, type Request, type RequestHandler, type Response } from 'express';
import type { Assistants } from '../core/assistants/assistants.ts';
import type { Companion } from '../core/companion/createCompanion.ts';
import { sendProblem } from './bridgeProblem.ts';
import { checkOperation, needsNoToken } from './checkOwn.ts';
import { companionRoutes } from './companionRoutes.ts';
import type { AssistantApi } from './door.ts';
import { caller, pathOf } from './guard.ts';
import type { McpRouteContext } from './mcp/mcpRoute.ts';
import { openDocuments } from './openDocuments.ts';
import { pairedBodyLimit, unpairedBodyLimit, readJson } from './readBody.ts';
import { uploadRoute } from './uploadRoute.ts';

type About = { version: string; url: () => string };

/** Speaks MCP from the first request on: a start does without the protocol's library and the tools' schemas. */
const lazyMcpRoute = (parts: McpRouteContext): RequestHandler => {
  let loading: Promise<RequestHandler> | undefined;
  return async (request, response, next) => {
    loading ??= import('./mcp/mcpRoute.ts').then(({ mcpRoute }) => mcpRoute(parts));
    const route = await loading;
    await route(request, response, next);
  };
};

/** How much body is read: of somebody unknown no more than a name needs. Throws when only somebody known may call this. */
const mostBytesOf = (assistants: Assistants, request: Request): number => {
  if (needsNoToken(request.method, pathOf(request))) return unpairedBodyLimit;
  caller(assistants, request);
  return pairedBodyLimit;
};

/** What is the companion's own: its routes, MCP, and where assistants begin to read. */
export const createApp = (companion: Companion, api: AssistantApi, about: About): Express => {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.use((request: Request, response: Response, next: NextFunction) => {
    checkOperation(request.method, pathOf(request), (methods) => response.setHeader('Allow', methods.join(', ')));
    next();
  });
  app.put('/uploads/:token', uploadRoute(companion));
  app.use(async (request: Request, _response: Response, next: NextFunction) => {
    const most = mostBytesOf(companion.assistants, request);
    if (!/^image\//i.test(request.headers['content-type'] ?? '')) request.body = await readJson(request, most);
    next();
  });
  app.get('/health', (_request: Request, response: Response) => {
    response.json({ status: 'ok' });
  });
  app.use(openDocuments(about));
  app.use(
    '/mcp',
    lazyMcpRoute({ api, version: about.version, caller: (request) => caller(companion.assistants, request) }),
  );
  app.use('/companion', companionRoutes(companion, api, about.version));
  app.use((error: unknown, _request: Request, response: Response, _next: NextFunction) => sendProblem(response, error));
  return app;
};
