import { type Request, type Response, Router } from 'express';
import type { Companion } from '../core/companion/createCompanion.ts';
import { ServiceError } from '../core/service/serviceError.ts';
import { problemBody, sendJson } from './bridgeProblem.ts';
import { closeSignal, authenticate, waitMsOf } from './guard.ts';
import { photoBody } from './readBody.ts';
import type * as z from 'zod';
import { issueSentence } from '../contract/index.ts';
import { Problem } from '../core/base/problem.ts';
import type { AssistantApi } from './assistantApi.ts';
import { itemBody, photosBody } from './ownOperations.ts';

/** `PUT /uploads/{token}`: takes the bytes of one photo for the slot behind that address. The path is its only right. */
export const uploadRoute =
  ({ uploads }: Companion) =>
  async (request: Request, response: Response): Promise<void> => {
    const token = String(request.params['token']);
    const signal = closeSignal(request, response);
    try {
      const taken = await uploads.take(token, request.headers['content-type'], photoBody(request), signal);
      response.json({ stored: true, ...taken });
    } catch (error) {
      if (!isRefusal(error)) throw error;
      sendJson(response, error.status, JSON.stringify(problemBody(error).body));
    }
  };

/** A no of the service to these bytes, which comes back as it would have come from the slot itself. */
const isRefusal = (error: unknown): error is ServiceError =>
  error instanceof ServiceError && error.code === 'UPLOAD_REFUSED' && error.status >= 400;

const parseBody = <S extends z.ZodType>(schema: S, body: unknown): z.output<S> => {
  const result = schema.safeParse(body ?? {});
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw new Problem('INVALID_REQUEST', issueSentence(issue), {
    field: issue?.path.map(String).join('.') || 'body',
  });
};

/** `/companion/items` and `/companion/listings/{listingId}/photos`: what an assistant does with photos on this machine. */
export const itemRoutes = (api: AssistantApi, companion: Companion): Router => {
  const router = Router();
  const by = (request: Request) => authenticate(companion.assistants, request);

  router.get('/items', async (request: Request, response: Response) => {
    response.type('json').send(await api.itemsJson(by(request)));
  });
  router.post('/items', async (request: Request, response: Response) => {
    const { item, left } = await api.addItem(by(request), parseBody(itemBody, request.body));
    response.status(202).location(`/companion/items/${item.itemId}`).json({ itemId: item.itemId, item, left });
  });
  router.get('/items/:id', async (request: Request, response: Response) => {
    const id = String(request.params['id']);
    response.json({ item: await api.item(by(request), id, waitMsOf(request), closeSignal(request, response)) });
  });

  router.post('/listings/:listingId/photos', async (request: Request, response: Response) => {
    const asker = by(request);
    const listingId = String(request.params['listingId']);
    const signal = closeSignal(request, response);
    if (!/^image\//i.test(request.headers['content-type'] ?? '')) {
      response.json(await api.addPhotos(asker, listingId, parseBody(photosBody, request.body), signal));
      return;
    }
    response.json(await api.addReceived(asker, listingId, photoBody(request), signal));
  });
  return router;
};
