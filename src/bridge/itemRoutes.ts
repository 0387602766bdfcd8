import { Router, type Request, type Response } from 'express';
import * as z from 'zod';
import { issueSentence } from '../contract/index.ts';
import type { Companion } from '../core/companion/createCompanion.ts';
import { Problem } from '../core/base/problem.ts';
import type { AssistantApi } from './door.ts';
import { caller, closeSignal, waitMsOf } from './guard.ts';
import { photoBody } from './readBody.ts';

const absolutePath = z.string().min(1).max(4_000);
/** The body of a new item: a folder, or photos by their paths; which of both is checked where they are read. */
export const itemBody = z.strictObject({
  folder: absolutePath.optional(),
  photos: z.array(absolutePath).min(1).max(100, 'At most 100 photos make one item.').optional(),
  note: z.string().max(20_000).optional(),
  quantity: z.int().min(1).optional(),
  marketplaceId: z
    .string()
    .regex(/^MKT_[A-Z]+$/, 'A site is named like MKT_US.')
    .optional(),
  listingLanguage: z.string().min(1).max(35).optional(),
});
/** The body that adds photos to a listing by their paths. */
export const photosBody = z.strictObject({
  folder: absolutePath.optional(),
  photos: z.array(absolutePath).min(1).max(24, 'A listing takes at most 24 photos.').optional(),
});

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
