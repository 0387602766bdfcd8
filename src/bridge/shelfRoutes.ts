import { Router, type Request, type Response } from 'express';
import { assistantShelfChanges } from '../core/assistants/assistantShelf.ts';
import type { AssistantRegistry } from '../core/assistants/assistants.ts';
import type { AssistantApi } from './assistantApi.ts';
import { authenticateAssistant, parseRequestQuery } from './guard.ts';
import { shelfQuery } from './ownOperations.ts';
import { parseRequestFields } from './readBody.ts';

/** Serves what only the person knows about listings to assistants with the right `shelf`. */
export const createShelfRoutes = ({ shelf }: AssistantApi, assistants: AssistantRegistry): Router => {
  const router = Router();
  const authenticateRequest = (request: Request) => authenticateAssistant(assistants, request);
  const getListingId = ({ params }: Request): string => String(params['listingId']);

  router.get('/shelf', (request: Request, response: Response) => {
    const by = authenticateRequest(request);
    const query = parseRequestFields(shelfQuery, Object.fromEntries(parseRequestQuery(request)));
    const { q: words, cursor: offset = 0, ...search } = query;
    const { listings, next } = shelf.find(by, { ...search, words, offset });
    response.json({
      listings: listings.map((one) => ({ ...one, shelf: shelf.read(by, { listingId: one.listingId }) })),
      nextCursor: next === null ? null : String(next),
    });
  });
  router.get('/listings/:listingId/shelf', (request: Request, response: Response) => {
    response.json({ shelf: shelf.readAllowed(authenticateRequest(request), { listingId: getListingId(request) }) });
  });
  router.put('/listings/:listingId/shelf', (request: Request, response: Response) => {
    const by = authenticateRequest(request);
    const changes = parseRequestFields(assistantShelfChanges, request.body);
    response.json({ shelf: shelf.change(by, getListingId(request), changes) });
  });
  return router;
};
