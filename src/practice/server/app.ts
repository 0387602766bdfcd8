import express, { type ErrorRequestHandler, type Express, type Request, type Response } from 'express';
import { controls } from '../controls/controls.ts';
import { pages } from '../pages/pages.ts';
import type { World } from '../world/world.ts';
import { callRoute } from './callRoute.ts';
import type { Faults } from './faults.ts';
import { guard } from './guard.ts';
import { replyOf, send } from './reply.ts';
import { takeUpload } from './uploads.ts';
import { withFaults } from './withFaults.ts';

const isPage = ({ path }: Request): boolean => path.startsWith('/person/');

/** The whole service as an express app. `port` is asked late: it is known only once the service listens. */
export const createApp = (world: World, faults: Faults, port: () => number): Express => {
  const app = express();
  app.disable('x-powered-by');
  app.set('query parser', 'simple');
  app.set('etag', false);
  app.use((request, response, next) => {
    response.set({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' });
    guard(request.headers, port(), isPage(request));
    next();
  });
  app.use('/practice', controls(world, faults));
  app.use(pages(world));
  app.put('/uploads/:token', withFaults(faults, world.report, takeUpload(world)));
  app.use(withFaults(faults, world.report, (request: Request, response: Response) => callRoute(world, request, response)));
  const failed: ErrorRequestHandler = (error, _request, response, next) => {
    if (response.headersSent) return next(error);
    send(response, replyOf(error, world.report));
  };
  app.use(failed);
  return app;
};
