import { Router, type Request, type Response } from 'express';
import type * as z from 'zod';
import { issueSentence } from '../contract/index.ts';
import type { Companion } from '../core/companion/createCompanion.ts';
import { Problem } from '../core/base/problem.ts';
import type { AssistantApi } from './door.ts';
import { caller, closeSignal, waitMsOf } from './guard.ts';
import { itemBody, photosBody } from './ownOperations.ts';
import { photoBody } from './readBody.ts';

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
  const by = (request: Request) => caller(companion.assistants, request);

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
