import type { IncomingMessage } from 'node:http';
import { countHostHeaders, isOriginFormRequest } from '../../loopback/http.ts';
import { Refusal } from '../refusal.ts';
import express, { type Request, type ErrorRequestHandler, type Express } from 'express';
import { requireOpenSlot, maxPhotoBytes, storeUploadedPhoto } from '../world/listings/photos.ts';
import type { World } from '../world/world.ts';
import { readBodyBytes, type Reply, toErrorReply, sendCallReply } from './http.ts';
import * as z from 'zod';
import { createControlsRouter } from '../controls/controls.ts';
import { createPagesRouter } from '../pages/pages.ts';
import { handleRouteCall } from './callRoute.ts';
import { type FaultList, wrapWithFaults } from './faults.ts';

/**
 * `token`: a page whose path contains a token. `controls`: a form of the practice controls. null: no page for a
 * browser.
 */
export type PageKind = 'token' | 'controls' | null;

const getPageKind = (path: string): PageKind => {
  if (path.startsWith('/person/') || path.startsWith('/r/')) return 'token';
  return path.startsWith('/practice/page/') ? 'controls' : null;
};

/**
 * Refuses a request with a foreign Host (DNS rebinding) or an Origin (a script in a browser). Forms of the service's
 * own pages are allowed.
 */
const refuseForeignRequest = (request: IncomingMessage, port: number, page: PageKind): void => {
  const { headers } = request;
  const ownHosts = [`127.0.0.1:${port}`, `localhost:${port}`];
  if (!isOriginFormRequest(request)) throw new Refusal(400, 'The request is not well formed.');
  if (!ownHosts.includes(headers.host ?? '') || countHostHeaders(request) > 1)
    throw new Refusal(421, 'This service answers on 127.0.0.1 only.');
  const { origin } = headers;
  if (origin === undefined) return;
  const ownPage = ownHosts.some((host) => origin === `http://${host}`) || (page === 'token' && origin === 'null');
  if (page === null || !ownPage) throw new Refusal(403, 'This service is not for web pages.');
};

/** The token in the URL is the only authorisation, so no key is needed. */
const createUploadReceiver =
  (world: World) =>
  async (request: Request): Promise<Reply> => {
    const token = String(request.params['token']);
    const contentType = request.headers['content-type'];
    // Check the slot before the bytes are read, so that an invalid upload is refused at once.
    requireOpenSlot(world, token, contentType);
    const bytes = await readBodyBytes(request, maxPhotoBytes);
    if (bytes === null) throw new Refusal(413, 'The photo is larger than 25 MiB.');
    await storeUploadedPhoto(world, token, contentType ?? '', bytes);
    return { status: 200, headers: {}, body: { stored: true } };
  };

const expressError = z.object({ status: z.int().min(400).max(499) });

/**
 * Converts an error that Express throws for a malformed request, such as a badly encoded path, to a `Refusal`, because
 * it is not an error of the service.
 */
const convertExpressError = (error: unknown): unknown => {
  const own = error instanceof Refusal ? null : expressError.safeParse(error).data;
  return own ? new Refusal(own.status, 'The request is not well formed.') : error;
};

/**
 * Creates the Express app of the service. `port` is a function, because the port is known only after the server
 * listens.
 */
export const createPracticeApp = (world: World, faults: FaultList, port: () => number): Express => {
  const app = express();
  app.disable('x-powered-by');
  app.set('query parser', 'simple');
  app.set('etag', false);
  app.use((request, response, next) => {
    response.set({
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    });
    refuseForeignRequest(request, port(), getPageKind(request.path));
    next();
  });
  app.use('/practice', createControlsRouter(world, faults));
  app.use(createPagesRouter(world));
  app.put('/uploads/:token', wrapWithFaults(faults, world, createUploadReceiver(world)));
  app.use(wrapWithFaults(faults, world, (request: Request) => handleRouteCall(world, request)));
  const sendErrorReply: ErrorRequestHandler = (error: unknown, _request, response, next) => {
    if (response.headersSent) return next(error);
    sendCallReply(response, toErrorReply(convertExpressError(error), world.report));
  };
  app.use(sendErrorReply);
  return app;
};
