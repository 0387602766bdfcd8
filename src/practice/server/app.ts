import express, { type ErrorRequestHandler, type Express, type Request } from 'express';
import * as z from 'zod';
import { controls } from '../controls/controls.ts';
import { pages } from '../pages/pages.ts';
import { Refusal } from '../refusal.ts';
import type { World } from '../world/world.ts';
import { callRoute } from './callRoute.ts';
import type { Faults } from './faults.ts';
import { guard, pageKind } from './guard.ts';
import { replyOf, send } from './reply.ts';
import { takeUpload } from './uploads.ts';
import { withFaults } from './withFaults.ts';

const status = z.object({ status: z.int().min(400).max(499) });

/** What express itself refuses, such as an address that is not well encoded, is no fault of the service. */
const asRefusal = (error: unknown): unknown => {
  const own = error instanceof Refusal ? null : status.safeParse(error).data;
  return own ? new Refusal(own.status, 'The request is not well formed.') : error;
};

/** The whole service as an express app. `port` is asked late: it is known only once the service listens. */
export const createApp = (world: World, faults: Faults, port: () => number): Express => {
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
    guard(request, port(), pageKind(request.path));
    next();
  });
  app.use('/practice', controls(world, faults));
  app.use(pages(world));
  app.put('/uploads/:token', withFaults(faults, world, takeUpload(world)));
  app.use(withFaults(faults, world, (request: Request) => callRoute(world, request)));
  const failed: ErrorRequestHandler = (error: unknown, _request, response, next) => {
    if (response.headersSent) return next(error);
    send(response, replyOf(asRefusal(error), world.report));
  };
  app.use(failed);
  return app;
};
